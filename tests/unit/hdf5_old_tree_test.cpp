// Trees of older HDF5 files: those that lead back to themselves, or by several ways to a node.
#include "io/hdf5/old_tree.hpp"

#include <H5Cpp.h>
#include <gtest/gtest.h>

#include "support/hdf5_links.hpp"
#include "support/kit.hpp"

namespace tamis::test {
namespace {

using namespace std::literals;

enum Kind : std::uint64_t { links, chunks };
constexpr std::uint64_t array = 96, dimensions = 3;  // with that of a byte in the entry
constexpr int link_key = 8, chunk_key = 8 + 8 * int(dimensions);

std::string node(Kind kind, std::uint64_t level, const std::vector<std::uint64_t>& below,
                 int more_room = 2) {
  const int key = kind == links ? link_key : chunk_key;
  std::string bytes = "TREE" + number(kind, 1) + number(level, 1) + number(below.size(), 2) +
                      number(~std::uint64_t(0), 8) + number(~std::uint64_t(0), 8) + zeros(key);
  for (const std::uint64_t child : below) bytes += number(child, 8) + zeros(key);
  return bytes + zeros(more_room * (8 + key));
}

class Hdf5OldTree : public ::testing::Test {
 protected:
  bool sound(const std::string& bytes, std::uint64_t at) {
    return trees.sound(bytes_of(bytes), at, usual_place);
  }
  hdf5::OldTrees trees;
};

TEST_F(Hdf5OldTree, NodesMayBeReadAgain) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(sound(node(links, 2, {2000, 3000}), 1000));
    EXPECT_TRUE(sound(node(links, 1, {4000}), 2000));
    EXPECT_TRUE(sound(node(links, 0, {5000, 6000}), 4000));
    EXPECT_TRUE(sound(node(links, 1, {}), 3000));
  }
}

TEST_F(Hdf5OldTree, ThatGoRound) {
  EXPECT_FALSE(sound(node(links, 1, {1000}), 1000));
  EXPECT_TRUE(sound(node(links, 2, {3000}), 2000));
  EXPECT_FALSE(sound(node(links, 1, {2000}), 3000));
  EXPECT_TRUE(sound(node(links, 5, {5000}), 4000));
  EXPECT_FALSE(sound(node(links, 5, {6000}), 5000));  // not below the one before
}

// Also if the library still has it in memory
TEST_F(Hdf5OldTree, OfAnotherLevelThanBefore) {
  EXPECT_TRUE(sound(node(links, 4, {}), 1000));
  EXPECT_TRUE(sound(node(links, 5, {1000}), 2000));
  EXPECT_TRUE(sound(node(links, 4, {}), 3000));
  EXPECT_FALSE(sound(node(links, 2, {3000}), 4000));
}

TEST_F(Hdf5OldTree, SeveralWaysToANode) {
  EXPECT_FALSE(sound(node(links, 2, {2000, 2000}), 1000));
  EXPECT_TRUE(sound(node(links, 2, {4000}), 3000));
  EXPECT_FALSE(sound(node(links, 2, {4000}), 5000));
}

// They hold the names of many links, each time anew.
TEST_F(Hdf5OldTree, SeveralWaysToATable) {
  EXPECT_FALSE(sound(node(links, 0, {5000, 5000}), 1000));
  EXPECT_TRUE(sound(node(links, 0, {6000}), 2000));
  EXPECT_FALSE(sound(node(links, 0, {6000}), 3000));
  EXPECT_TRUE(sound(node(links, 0, {7000}), 4000));
  EXPECT_FALSE(sound(node(links, 0, {}), 7000));  // not a node
}

TEST_F(Hdf5OldTree, Chunks) {
  EXPECT_FALSE(sound(node(chunks, 0, {}), 1000));  // of which array?
  EXPECT_TRUE(trees.learn_chunks(array, 1000, dimensions));
  EXPECT_TRUE(trees.learn_chunks(array, 1000, dimensions));
  EXPECT_FALSE(trees.learn_chunks(array, 1000, dimensions + 1));
  EXPECT_FALSE(trees.learn_chunks(array + 500, 1000, dimensions));
  EXPECT_TRUE(sound(node(chunks, 1, {2000}), 1000));
  EXPECT_FALSE(sound(node(links, 0, {}), 2000));
  EXPECT_TRUE(sound(node(chunks, 0, {3000, 3000}), 2000));  // chunks, not nodes
  EXPECT_FALSE(trees.learn_chunks(array + 600, 2000, dimensions));
}

TEST_F(Hdf5OldTree, MoreEntriesThanTheyHave) {
  EXPECT_TRUE(sound(node(links, 0, {1, 2}, 0), 1000));
  EXPECT_FALSE(sound(changed(node(links, 0, {1, 2}, 0), 6, 3, 2), 1000));
  EXPECT_FALSE(sound(node(links, 0, {1, 2}, 0).substr(0, 50), 1000));
  EXPECT_FALSE(sound(changed(node(links, 0, {1, 2}), 6, 65535, 2), 1000));
  EXPECT_FALSE(sound(node(Kind(2), 0, {}), 2000));  // of a kind that there is not
  EXPECT_TRUE(sound(node(links, 0, {4000}), 3000));
  EXPECT_FALSE(sound(node(Kind(2), 0, {}), 4000));
}

TEST_F(Hdf5OldTree, TablesOfLinks) {
  const auto is_sound = [](std::uint64_t n, int room) {
    const std::string table = "SNOD\1\0"s + number(n, 2) + zeros(40 * room);
    return hdf5::sound_table(bytes_of(table), usual_place.sizes);
  };
  EXPECT_TRUE(is_sound(8, 8));
  EXPECT_TRUE(is_sound(0, 8));
  EXPECT_FALSE(is_sound(9, 8));
  EXPECT_FALSE(is_sound(65535, 8));
}

// Whole files, by the library: as they are, and with a node that leads to itself
class Hdf5OldTreeFile : public ::testing::TestWithParam<Kind> {
 protected:
  void write() const {
    const H5::H5File file(path, H5F_ACC_TRUNC);
    if (GetParam() == links)
      for (int i = 0; i < 400; ++i)
        file.link(H5L_TYPE_SOFT, "nowhere", "link " + std::to_string(i));
    const hsize_t sizes[] = {200, 3}, chunk[] = {1, 3};
    H5::DSetCreatPropList properties;
    properties.setChunk(2, chunk);
    const std::vector<double> values(600, 0.5);
    file.createDataSet("data", H5::PredType::NATIVE_DOUBLE, H5::DataSpace(2, sizes), properties)
        .write(values.data(), H5::PredType::NATIVE_DOUBLE);
  }
  TemporaryFolder folder;
  std::string path = folder / "x.h5";
};

TEST_P(Hdf5OldTreeFile, ThatGoesRound) {
  H5::Exception::dontPrint();
  write();
  for (const char* name : {"", ":/data"})
    EXPECT_EQ(read_file(path + name), Matrix<double>::Constant(3, 200, 0.5));
  const std::string bytes = read_bytes(path);
  const std::string root = "TREE" + number(GetParam(), 1) + number(1, 1);
  const std::size_t at = bytes.find(root);
  ASSERT_NE(at, std::string::npos);
  const std::size_t key = GetParam() == links ? link_key : chunk_key;
  const auto below = std::uint64_t(std::uint8_t(bytes[at + 6]));
  for (std::size_t i = 0; i < below; ++i) {
    write_bytes(path, changed(bytes, at + 24 + key + i * (8 + key), at, 8));
    for (const char* name : {"", ":/data"})
      expect_file_error([&] { read_file(path + name); }, path, {});
  }
}

// At the end of the heap in which names are; it would go on with what lies behind in memory.
TEST(Hdf5OldTreeNames, ThatDoNotEnd) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.h5";
  {
    const H5::H5File file(path, H5F_ACC_TRUNC);
    const hsize_t sizes[] = {20, 3};
    const std::vector<double> values(60, 0.5);
    file.createDataSet("data", H5::PredType::NATIVE_DOUBLE, H5::DataSpace(2, sizes))
        .write(values.data(), H5::PredType::NATIVE_DOUBLE);
  }
  std::string bytes = read_bytes(path);
  const std::size_t heap = bytes.find("HEAP"), tree = bytes.find("TREE"),
                    table = bytes.find("SNOD");
  ASSERT_NE(std::max({heap, tree, table}), std::string::npos);
  const auto size = std::size_t(std::uint8_t(bytes[heap + 8]));
  bytes.replace(bytes.find("data", heap) - 8 + 16, size - 16, std::string(size - 16, 'n'));
  bytes = changed(bytes, heap + 16, 1, 8);  // nothing in it is free
  bytes = changed(bytes, tree + 24 + 16, size - 4, 8);
  write_bytes(path, changed(bytes, table + 8, size - 4, 8));
  EXPECT_EQ(read_file(path + ":/nnn"), Matrix<double>::Constant(3, 20, 0.5));
}

INSTANTIATE_TEST_SUITE_P(Of, Hdf5OldTreeFile, ::testing::Values(links, chunks),
                         [](const auto& test) { return test.param == links ? "links" : "chunks"; });

}  // namespace
}  // namespace tamis::test
