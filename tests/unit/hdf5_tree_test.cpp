// Trees in newer HDF5 files that the library has written, sound and with one number changed.
#include "io/hdf5/tree.hpp"

#include <gtest/gtest.h>

#include "support/hdf5_links.hpp"

namespace tamis::test {
namespace {

constexpr std::size_t at_version = 4, at_kind = 5, at_node_bytes = 6, at_record_bytes = 10,
                      at_depth = 12, at_root = 16, at_root_records = 24, at_records = 26;

struct Seen {
  bool sound = false;
  int records = 0;
};

Seen walk(const std::string& header, const std::string& file, bool right = true) {
  Seen seen;
  const hdf5::Tree tree(bytes_of(header), usual_place);
  seen.sound = tree.sound(only(file), [&](hdf5::Bytes record) {
    EXPECT_EQ(record.size(), tree.record_bytes());
    ++seen.records;
    return right;
  });
  return seen;
}

std::uint64_t number_at(const std::string& bytes, std::size_t at, std::size_t size) {
  return hdf5::Cursor(bytes_of(bytes).subspan(at)).number(size);
}

TEST(Hdf5Tree, EveryRecordIsSeen) {
  std::size_t depth = 0;
  for (const int links : {9, 100, 3000}) {
    SCOPED_TRACE(links);
    const ManyLinks file(links);
    const std::string header = file.tree_header();
    EXPECT_EQ(hdf5::Tree(bytes_of(header), usual_place).kind(), 5);
    const Seen seen = walk(header, file.bytes);
    EXPECT_TRUE(seen.sound);
    EXPECT_EQ(seen.records, links);
    EXPECT_FALSE(walk(header, file.bytes, false).sound);
    depth = number_at(header, at_depth, 2);
  }
  EXPECT_GE(depth, 2U);  // or there is more to test
}

TEST(Hdf5Tree, NumbersThatCannotBe) {
  const ManyLinks file(3000);
  const std::string header = file.tree_header();
  const auto sound_with = [&](std::size_t at, std::uint64_t value, int size) {
    return walk(changed(header, at, value, size), file.bytes).sound;
  };
  const std::uint64_t depth = number_at(header, at_depth, 2);
  const std::uint64_t in_root = number_at(header, at_root_records, 2);
  EXPECT_FALSE(sound_with(at_version, 1, 1));
  EXPECT_FALSE(sound_with(at_kind, 6, 1));
  for (const std::uint64_t bytes : {0, 10, 20, 30, 256, 1 << 17})
    EXPECT_FALSE(sound_with(at_node_bytes, bytes, 4)) << bytes;
  for (const std::uint64_t bytes : {0, 10, 12, 65535})
    EXPECT_FALSE(sound_with(at_record_bytes, bytes, 2)) << bytes;
  for (const std::uint64_t levels : {std::uint64_t(0), depth - 1, depth + 1, std::uint64_t(65535)})
    EXPECT_FALSE(sound_with(at_depth, levels, 2)) << levels;
  EXPECT_FALSE(sound_with(at_root, 0, 8));
  EXPECT_FALSE(sound_with(at_root, ~std::uint64_t(0), 8));
  for (const std::uint64_t records : {std::uint64_t(0), in_root - 1, in_root + 1})
    EXPECT_FALSE(sound_with(at_root_records, records, 2)) << records;
  for (const std::uint64_t records : {0, 2999, 3001})
    EXPECT_FALSE(sound_with(at_records, records, 8)) << records;
  EXPECT_FALSE(walk(header.substr(0, 30), file.bytes).sound);
}

TEST(Hdf5Tree, AnEmptyOne) {
  std::string header = ManyLinks(9).tree_header();
  header = changed(header, at_root, ~std::uint64_t(0), 8);
  header = changed(header, at_root_records, 0, 2);
  EXPECT_TRUE(walk(changed(header, at_records, 0, 8), "").sound);
  EXPECT_FALSE(walk(header, "").sound);
}

TEST(Hdf5Tree, Nodes) {
  const ManyLinks file(3000);
  const std::string header = file.tree_header();
  const std::size_t root = number_at(header, at_root, 8);
  const std::size_t leaf = file.bytes.find("BTLF");
  for (const std::size_t node : {root, leaf})
    for (const std::size_t wrong : {0, 4, 5})  // signature, version, kind
      EXPECT_FALSE(walk(header, changed(file.bytes, node + wrong, 99, 1)).sound);
  // The root's first child, which is its second one, too, or the root, or has too many records
  const std::size_t in_root = number_at(header, at_root_records, 2);
  const std::size_t child = root + 6 + in_root * 11;
  const std::size_t pointer = 8 + 1 + 2;
  const auto with_child = [&](std::uint64_t at) {
    return walk(header, changed(file.bytes, child, at, 8)).sound;
  };
  EXPECT_TRUE(with_child(number_at(file.bytes, child, 8)));
  EXPECT_FALSE(with_child(number_at(file.bytes, child + pointer, 8)));
  EXPECT_FALSE(with_child(root));
  EXPECT_FALSE(with_child(file.bytes.size() - 100));
  for (const std::size_t at : {8, 9}) {  // its records, and all below it
    const std::uint64_t there = number_at(file.bytes, child + at, 1);
    EXPECT_FALSE(walk(header, changed(file.bytes, child + at, there + 1, 1)).sound);
  }
  EXPECT_FALSE(walk(header, changed(file.bytes, child + 8, 255, 1)).sound);
}

// The library keeps a node with the records that it had when it was read.
TEST(Hdf5Tree, NodesOfAnother) {
  const ManyLinks file(3000);
  const std::string header = file.tree_header();
  hdf5::Owned owned;
  const auto sound_at = [&](std::uint64_t at) {
    const auto right = [](hdf5::Bytes) { return true; };
    const hdf5::Tree tree(bytes_of(header), usual_place);
    return tree.sound(only(file.bytes), right, owned, at);
  };
  EXPECT_TRUE(sound_at(file.tree));
  EXPECT_TRUE(sound_at(file.tree));
  EXPECT_FALSE(sound_at(file.tree + 1));
}

TEST(Hdf5Owned, PartsDoNotOverlap) {
  hdf5::Owned owned;
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(owned.take(100, 50, 1));
    EXPECT_TRUE(owned.take(200, 50, 1));
    EXPECT_TRUE(owned.take(150, 50, 2));
  }
  EXPECT_FALSE(owned.take(100, 50, 2));
  EXPECT_FALSE(owned.take(100, 49, 1));
  EXPECT_FALSE(owned.take(90, 11, 1));
  EXPECT_FALSE(owned.take(120, 1, 1));
  EXPECT_FALSE(owned.take(249, 10, 1));
  EXPECT_FALSE(owned.take(0, 1000, 1));
  EXPECT_TRUE(owned.take(90, 10, 3));
  EXPECT_TRUE(owned.take(250, 10, 3));
  EXPECT_FALSE(owned.take(300, 0, 1));
  EXPECT_FALSE(owned.take(300, ~std::uint64_t(0), 1));
}

}  // namespace
}  // namespace tamis::test
