// Trees and heaps of links in newer HDF5 files: as the library writes them, and changed.
#include <gtest/gtest.h>

#include "io/hdf5/index.hpp"
#include "support/hdf5_links.hpp"

namespace tamis::test {
namespace {

using namespace std::literals;

constexpr std::uint64_t link_info = 2, object = 96;

class Hdf5LinkIndex : public ::testing::Test {
 protected:
  bool learn(const std::string& body, std::uint64_t of = object) {
    return indexes.learn(of, link_info, bytes_of(body), usual_place);
  }

  static std::string info(std::uint64_t heap, std::uint64_t tree_at) {
    return zeros(2) + number(heap, 8) + number(tree_at, 8);
  }
  bool links_sound(const std::string& bytes, const std::string& header) {
    return indexes.sound(bytes_of(header), file.tree, usual_place, only(bytes));
  }
  bool heap_sound(const std::string& header) {
    return indexes.sound(bytes_of(header), file.heap, usual_place, only(file.bytes));
  }
  hdf5::Indexes indexes;
  ManyLinks file{300};
};

TEST_F(Hdf5LinkIndex, EachLinkIsLookedAt) {
  const std::string header = file.tree_header();
  EXPECT_FALSE(links_sound(file.bytes, header));  // of which group?
  EXPECT_TRUE(learn(info(file.heap, file.tree)));
  EXPECT_TRUE(links_sound(file.bytes, header));
  const std::size_t name = file.bytes.find("link 217");
  ASSERT_NE(name, std::string::npos);
  EXPECT_FALSE(links_sound(changed(file.bytes, name - 1, 255, 1), header));  // its length
  EXPECT_FALSE(links_sound(changed(file.bytes, name - 4, 9, 1), header));    // its version
  EXPECT_FALSE(links_sound(changed(file.bytes, file.heap + 4, 9, 1), header));
  EXPECT_FALSE(links_sound(file.bytes, changed(header, 10, 15, 2)));
  EXPECT_TRUE(heap_sound(file.heap_header()));
  EXPECT_FALSE(heap_sound(changed(file.heap_header(), 4, 9, 1)));
}

TEST_F(Hdf5LinkIndex, LongLinks) {
  const ManyLinks with_long(30, std::string(5000, 'x'));
  const auto has = [&](const std::string& bytes, const std::string& block, std::size_t at) {
    return indexes.sound(bytes_of(block), at, usual_place, only(bytes));
  };
  EXPECT_TRUE(learn(info(with_long.heap, with_long.tree)));
  EXPECT_TRUE(has(with_long.bytes, with_long.tree_header(), with_long.tree));
  const std::size_t tree = with_long.bytes.find("BTHD\0\1"sv);
  ASSERT_NE(tree, std::string::npos);
  EXPECT_FALSE(has(with_long.bytes, with_long.bytes.substr(tree, 38), tree));  // of which heap?
  EXPECT_TRUE(has(with_long.bytes, with_long.heap_header(), with_long.heap));
  EXPECT_TRUE(has(with_long.bytes, with_long.bytes.substr(tree, 38), tree));
  // A long link that is not one, and the same for two names
  const std::size_t leaf = with_long.bytes.find("BTLF\0\1"sv);
  std::size_t link = 0;
  for (std::size_t i = 8; i > 0; --i)
    link = link << 8 | std::uint8_t(with_long.bytes[leaf + 5 + i]);
  EXPECT_FALSE(has(changed(with_long.bytes, link, 9, 1), with_long.tree_header(), with_long.tree));
  const std::size_t names = with_long.bytes.find("BTLF\0\5"sv) + 6;
  const std::string id = with_long.bytes.substr(names + 4, 7);
  std::string same = with_long.bytes;
  same.replace(names + 11 + 4, 7, id);
  EXPECT_FALSE(has(same, with_long.tree_header(), with_long.tree));
}

TEST_F(Hdf5LinkIndex, OneHeapForEachTree) {
  EXPECT_TRUE(learn(info(file.heap, file.tree)));
  EXPECT_TRUE(learn(info(file.heap, file.tree), object + 1));
  EXPECT_FALSE(learn(info(file.heap + 1, file.tree), object + 2));
  const std::uint64_t nowhere = ~std::uint64_t(0);
  EXPECT_TRUE(learn(info(nowhere, nowhere), object + 3));
  EXPECT_TRUE(learn(info(0, nowhere), object + 4));
  // With numbers, and a tree in the order of these
  const std::string ordered = number(0, 1) + number(3, 1) + zeros(8) + number(file.heap, 8) +
                              number(file.tree, 8) + number(file.tree + 1, 8);
  EXPECT_TRUE(learn(ordered, object + 5));
  EXPECT_FALSE(learn(info(file.heap + 1, file.tree + 1), object + 6));
}

}  // namespace
}  // namespace tamis::test
