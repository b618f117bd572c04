// Lists of chunks in newer HDF5 files, written by hand: right for their array, or not.
#include "io/hdf5/index.hpp"

#include <gtest/gtest.h>

#include "support/hdf5_links.hpp"

namespace tamis::test {
namespace {

using namespace std::literals;

enum Message : std::uint64_t { sizes = 1, link_info = 2, layout = 8, filters = 11 };
enum List : std::uint64_t { one_chunk = 1, fixed = 3, growing = 4, tree = 5 };
constexpr std::uint64_t object = 96, index = 800;

std::string sizes_message(std::uint64_t rows, std::uint64_t most_rows) {
  return number(2, 1) + number(2, 1) + number(1, 2) + number(rows, 8) + number(3, 8) +
         number(most_rows, 8) + number(3, 8);
}
// Chunks of 2x3 doubles
std::string layout_message(List list, std::uint64_t at = index, std::uint64_t rows = 2) {
  const int parameters = list == fixed ? 1 : list == growing ? 5 : list == tree ? 6 : 0;
  return number(4, 1) + number(2, 1) + number(0, 1) + number(3, 1) + number(1, 1) +
         number(rows, 1) + number(3, 1) + number(8, 1) + number(list, 1) + zeros(parameters) +
         number(at, 8);
}
std::string filters_message(int n) { return number(2, 1) + number(std::uint64_t(n), 1); }

std::string fixed_list(int packed, int entry, std::uint64_t entries, int page = 10) {
  return "FAHD" + zeros(1) + number(std::uint64_t(packed), 1) + number(std::uint64_t(entry), 1) +
         number(std::uint64_t(page), 1) + number(entries, 8) + number(900, 8) + "sum!";
}
// With nothing in it
std::string growing_list(int packed, int entry, std::uint64_t entries) {
  return "EAHD" + zeros(1) + number(std::uint64_t(packed), 1) + number(std::uint64_t(entry), 1) +
         "\x20\x04\x10\x04\x0a" + zeros(32) + number(entries, 8) + zeros(8) +
         number(~std::uint64_t(0), 8) + "sum!";
}
std::string chunk_tree(int kind, int record) {
  return "BTHD" + zeros(1) + number(std::uint64_t(kind), 1) + number(2048, 4) +
         number(std::uint64_t(record), 2) + zeros(4) + number(~std::uint64_t(0), 8) + zeros(10) +
         "sum!";
}

std::string old_layout_message(int version, std::uint64_t at) {
  const std::string sizes = number(2, 4) + number(3, 4) + number(8, 4);
  if (version == 3) return "\3\2\3"s + number(at, 8) + sizes;
  return number(std::uint64_t(version), 1) + "\3\2"s + zeros(5) + number(at, 8) + sizes;
}
std::string old_node(int level) {
  return "TREE\1"s + number(std::uint64_t(level), 1) + zeros(2 + 16 + 32);
}

class Hdf5Index : public ::testing::Test {
 protected:
  bool learn(Message type, const std::string& body, std::uint64_t of = object) {
    return indexes.learn(of, type, bytes_of(body), usual_place);
  }
  void learn_array(List list, int n_filters) {
    EXPECT_TRUE(learn(sizes, sizes_message(5, 9)));
    EXPECT_TRUE(learn(layout, layout_message(list)));
    if (n_filters >= 0) {
      EXPECT_TRUE(learn(filters, filters_message(n_filters)));
    }
  }
  bool sound(const std::string& bytes, std::uint64_t at = index) {
    const std::string entries = "FADB" + zeros(2) + number(index, 8) + zeros(1000 - 900 - 14);
    return indexes.sound(bytes_of(bytes), at, usual_place, only(zeros(900) + entries));
  }
  hdf5::Indexes indexes;
};

// 9 rows make 5 chunks. An entry has an address, and if packed a size of at most 48 and 4 bytes
// more.
constexpr int plain_entry = 8, packed_entry = 8 + 2 + 4;

TEST_F(Hdf5Index, FixedLists) {
  learn_array(fixed, -1);
  EXPECT_TRUE(sound(fixed_list(0, plain_entry, 5)));
  EXPECT_FALSE(sound(fixed_list(0, plain_entry, 4)));
  EXPECT_FALSE(sound(fixed_list(0, plain_entry, 1001)));  // more than the file has bytes
  EXPECT_FALSE(sound(fixed_list(0, plain_entry + 1, 5)));
  EXPECT_FALSE(sound(fixed_list(1, plain_entry, 5)));
  EXPECT_FALSE(sound(fixed_list(1, packed_entry, 5)));
  EXPECT_FALSE(sound(fixed_list(0, plain_entry, 5, 0)));
  EXPECT_FALSE(sound(fixed_list(0, plain_entry, 5).substr(0, 12)));
  EXPECT_FALSE(sound(changed(fixed_list(0, plain_entry, 5), 4, 1, 1)));  // version
  EXPECT_FALSE(sound(fixed_list(0, plain_entry, 5), index + 8));         // nobody's
}

// The library keeps the entries of the one that was read first.
TEST_F(Hdf5Index, EntriesOfAnotherList) {
  learn_array(fixed, -1);
  const std::string list = fixed_list(0, plain_entry, 5);
  const auto sound_with = [&](const std::string& block) {
    const std::string file = zeros(900) + block + zeros(200);
    return indexes.sound(bytes_of(list), index, usual_place, only(file));
  };
  EXPECT_TRUE(sound_with("FADB" + zeros(2) + number(index, 8)));
  EXPECT_FALSE(sound_with("FADB" + zeros(2) + number(index + 8, 8)));
  EXPECT_FALSE(sound_with("FXDB" + zeros(2) + number(index, 8)));
  EXPECT_FALSE(sound(changed(list, 16, 1000, 8)));
  EXPECT_TRUE(sound(changed(list, 16, ~std::uint64_t(0), 8)));  // nothing was written
  EXPECT_TRUE(learn(sizes, sizes_message(5, 9), object + 8));
  EXPECT_TRUE(learn(layout, layout_message(fixed, index + 8), object + 8));
  const std::string other = "FADB" + zeros(2) + number(index + 8, 8);
  const auto overlaps = [&](std::uint64_t at) {
    const std::string file = zeros(int(at)) + other + zeros(200);
    const std::string moved = changed(list, 16, at, 8);
    return !indexes.sound(bytes_of(moved), index + 8, usual_place, only(file));
  };
  EXPECT_TRUE(overlaps(900 + 5 * plain_entry - 1));
  EXPECT_TRUE(overlaps(900 - 5 * plain_entry + 1));
  EXPECT_FALSE(overlaps(900 + 5 * plain_entry));
}

TEST_F(Hdf5Index, FixedListsOfPackedChunks) {
  learn_array(fixed, 2);
  EXPECT_TRUE(sound(fixed_list(1, packed_entry, 5)));
  EXPECT_FALSE(sound(fixed_list(1, packed_entry - 1, 5)));
  EXPECT_FALSE(sound(fixed_list(0, packed_entry, 5)));
  EXPECT_FALSE(sound(fixed_list(0, plain_entry, 5)));
}

TEST_F(Hdf5Index, GrowingLists) {
  learn_array(growing, 0);
  for (const std::uint64_t entries : {0, 3, 100000})  // also more than the file has bytes
    EXPECT_TRUE(sound(growing_list(0, plain_entry, entries)));
  EXPECT_FALSE(sound(growing_list(0, plain_entry, std::uint64_t(1) << 32)));
  const auto in_a_large_file = [&](std::uint64_t entries) {
    const std::string list = growing_list(0, plain_entry, entries);
    return indexes.sound(bytes_of(list), index, usual_place,
                         [](auto, std::uint64_t bytes) { return std::vector<std::byte>(bytes); });
  };
  EXPECT_TRUE(in_a_large_file((std::uint64_t(1) << 32) - 1));
  EXPECT_FALSE(in_a_large_file(std::uint64_t(1) << 32));  // the library counts in 32 bits
  EXPECT_FALSE(sound(growing_list(1, packed_entry, 3)));
  EXPECT_FALSE(sound(growing_list(0, packed_entry, 3)));
  for (std::size_t at : {4, 7, 8, 9, 10, 11})  // version and measures
    EXPECT_FALSE(sound(changed(growing_list(0, plain_entry, 3), at, 99, 1))) << at;
  EXPECT_FALSE(sound(growing_list(0, plain_entry, 3), index - 1));
  const std::string list = growing_list(0, plain_entry, 3);
  EXPECT_FALSE(sound(changed(list, list.size() - 12, 900, 8)));  // a block that is not there
}

TEST_F(Hdf5Index, Trees) {
  learn_array(tree, 1);
  const int numbers = 2 * 8;
  EXPECT_TRUE(sound(chunk_tree(11, packed_entry + numbers)));
  EXPECT_FALSE(sound(chunk_tree(11, packed_entry + numbers + 8)));
  EXPECT_FALSE(sound(chunk_tree(10, packed_entry + numbers)));
  EXPECT_FALSE(sound(chunk_tree(10, plain_entry + numbers)));
  EXPECT_FALSE(sound(chunk_tree(11, packed_entry + numbers), index + 1));
  EXPECT_FALSE(sound(chunk_tree(5, 11)));  // no group's
  EXPECT_FALSE(sound(chunk_tree(1, 24)));  // no heap's
  EXPECT_FALSE(sound(chunk_tree(8, 17)));  // of attributes, which nobody asked for
}

TEST_F(Hdf5Index, OldTrees) {
  EXPECT_FALSE(sound(old_node(0)));  // of which array?
  for (const int version : {1, 2, 3}) {
    const std::uint64_t root = index + std::uint64_t(100 * version);
    const std::uint64_t array = object + std::uint64_t(version);
    EXPECT_TRUE(learn(layout, old_layout_message(version, root), array));
    EXPECT_FALSE(learn(layout, old_layout_message(version, root), array + 500));
    EXPECT_TRUE(sound(old_node(0), root));
    EXPECT_FALSE(sound(old_node(1), root));
    EXPECT_TRUE(learn(layout, old_layout_message(version, ~std::uint64_t(0)), array + 600));
  }
  EXPECT_TRUE(learn(layout, "\3\1"s + zeros(16)));  // not in chunks
  EXPECT_FALSE(sound("SNOD\1\0\1\0"s + zeros(39)));
  EXPECT_TRUE(sound("SNOD\1\0\1\0"s + zeros(40)));
}

TEST_F(Hdf5Index, SizesThatAreNotThoseOfTheChunks) {
  EXPECT_TRUE(learn(layout, layout_message(fixed)));
  EXPECT_FALSE(sound(fixed_list(0, plain_entry, 5)));  // of which array?
  EXPECT_FALSE(learn(sizes, number(2, 1) + number(1, 1) + number(0, 2) + number(9, 8)));
  const std::string single = number(2, 4);
  for (const std::string& layout_of_chunks :
       {layout_message(fixed, index + 8), layout_message(one_chunk), old_layout_message(1, 2000),
        old_layout_message(3, ~std::uint64_t(0))}) {
    hdf5::Indexes others;
    const auto learn_other = [&](Message type, const std::string& body, std::uint64_t of) {
      return others.learn(of, type, bytes_of(body), usual_place);
    };
    EXPECT_TRUE(learn_other(sizes, single, object));
    EXPECT_FALSE(learn_other(layout, layout_of_chunks, object));
    EXPECT_TRUE(learn_other(layout, layout_of_chunks, object + 8));
    EXPECT_FALSE(learn_other(sizes, single, object + 8));
  }
}

// The library keeps what it once read.
TEST_F(Hdf5Index, OnePurposeForEachPlace) {
  const auto info = [](std::uint64_t heap, std::uint64_t by_name, std::uint64_t by_number) {
    return number(0, 1) + number(2, 1) + number(heap, 8) + number(by_name, 8) +
           number(by_number, 8);
  };
  EXPECT_TRUE(learn(link_info, info(500, 600, 700)));
  EXPECT_TRUE(learn(link_info, info(500, 600, 700)));
  EXPECT_FALSE(learn(link_info, info(500, 700, 600)));
  EXPECT_FALSE(learn(link_info, info(500, 900, 900)));
  EXPECT_FALSE(learn(layout, layout_message(tree, 600)));
  EXPECT_TRUE(learn(layout, layout_message(tree), object + 8));
  EXPECT_FALSE(learn(link_info, info(500, index, 700)));
}

TEST_F(Hdf5Index, TheFirstMessageOfAKind) {
  learn_array(fixed, 0);
  EXPECT_TRUE(learn(sizes, sizes_message(1, 1)));
  EXPECT_TRUE(learn(filters, filters_message(1)));
  EXPECT_TRUE(learn(layout, layout_message(tree, 900)));
  EXPECT_TRUE(sound(fixed_list(0, plain_entry, 5)));
  EXPECT_FALSE(sound(fixed_list(0, plain_entry, 4)));
}

TEST_F(Hdf5Index, NobodySharesOne) {
  learn_array(fixed, -1);
  EXPECT_FALSE(learn(layout, layout_message(fixed), object + 500));
  EXPECT_TRUE(learn(layout, layout_message(fixed, index + 100), object + 600));
  const std::uint64_t nowhere = ~std::uint64_t(0);
  EXPECT_TRUE(learn(layout, layout_message(fixed, nowhere), object + 700));
  EXPECT_TRUE(learn(layout, layout_message(fixed, nowhere), object + 800));
  EXPECT_TRUE(learn(layout, layout_message(one_chunk), object + 900));  // not a list
}

TEST_F(Hdf5Index, MessagesThatEndTooEarly) {
  const auto learned = [](Message type, const std::string& body) {
    return hdf5::Indexes().learn(object, type, bytes_of(body), usual_place);
  };
  const auto needs_all = [&](Message type, const std::string& body) {
    return learned(type, body) && !learned(type, body.substr(0, body.size() - 1));
  };
  EXPECT_TRUE(needs_all(sizes, sizes_message(5, 9)));
  EXPECT_TRUE(needs_all(layout, layout_message(fixed)));
  EXPECT_TRUE(needs_all(link_info, zeros(18)));
  EXPECT_TRUE(needs_all(filters, filters_message(1)));
  EXPECT_FALSE(learn(layout, layout_message(fixed, index, 0)));  // chunks of no rows
}

}  // namespace
}  // namespace tamis::test
