// Heaps in newer HDF5 files that the library has written, sound and with one number changed.
#include "io/hdf5/heap.hpp"

#include <gtest/gtest.h>

#include "io/hdf5/tree.hpp"
#include "support/hdf5_links.hpp"

namespace tamis::test {
namespace {

// Behind the version and the flags of a link, its kind and the length of its name
std::string name_in(const std::vector<std::byte>& link) {
  if (link.size() < 4) return "";
  const auto length = std::to_integer<std::size_t>(link[3]);
  std::string name;
  for (std::size_t i = 4; i < std::min(link.size(), 4 + length); ++i) name += char(link[i]);
  return name;
}

std::set<std::string> names_in(const ManyLinks& file) {
  hdf5::Heap heap(bytes_of(file.heap_header()), usual_place);
  const hdf5::Read more = only(file.bytes);
  EXPECT_TRUE(heap.find_long_ones(more));
  std::set<std::string> names;
  const std::string header = file.tree_header();
  hdf5::Tree(bytes_of(header), usual_place).sound(more, [&](hdf5::Bytes record) {
    names.insert(name_in(heap.object(record.subspan(4), more)));
    return true;
  });
  return names;
}

// In one block, in those of a table, in those of tables in a table
TEST(Hdf5Heap, EveryLinkIsFound) {
  for (const int links : {9, 200, 30000}) {
    const ManyLinks file(links);
    EXPECT_EQ(file.heap_header().size(), hdf5::Heap::header_bytes(usual_place.sizes));
    EXPECT_EQ(names_in(file), file.names) << links;
  }
}

TEST(Hdf5Heap, LongLinksAreFound) {
  const ManyLinks file(30, std::string(5000, 'x'));
  EXPECT_EQ(names_in(file), file.names);
  const auto found = [&](const std::string& bytes, const std::string& header) {
    hdf5::Heap heap(bytes_of(header), usual_place);
    return heap.has_long_ones() && heap.find_long_ones(only(bytes));
  };
  const std::string header = file.heap_header();
  EXPECT_TRUE(found(file.bytes, header));
  EXPECT_FALSE(found(file.bytes, ManyLinks(30).heap_header()));
  EXPECT_FALSE(found(file.bytes, changed(header, 22, file.tree, 8)));  // a tree of another kind
  const std::size_t tree = file.bytes.find(std::string_view("BTHD\0\1", 6));
  const std::size_t leaf = file.bytes.find(std::string_view("BTLF\0\1", 6));
  ASSERT_NE(std::max(tree, leaf), std::string::npos);
  const auto found_with = [&](std::size_t at, std::uint64_t value, int size) {
    return found(changed(file.bytes, at, value, size), header);
  };
  // Of a record of 24 bytes: where it is, how long, and its number
  EXPECT_FALSE(found_with(tree + 10, 25, 2));
  EXPECT_FALSE(found_with(leaf + 6, file.bytes.size() - 100, 8));
  EXPECT_FALSE(found_with(leaf + 6, ~std::uint64_t(0) - 100, 8));
  EXPECT_FALSE(found_with(leaf + 14, 0, 8));
  EXPECT_FALSE(
      found_with(leaf + 14, file.bytes.size() - 5000, 8));  // more than the file has in all
  EXPECT_FALSE(found_with(leaf + 24 + 22, 1, 8));           // a number that another has
  EXPECT_FALSE(found_with(tree + 10, 23, 2));
}

TEST(Hdf5Heap, OtherFormsThanThoseOfTheLibrary) {
  const std::string header = ManyLinks(9).heap_header();
  const auto sound = [](const std::string& bytes) {
    return hdf5::Heap(bytes_of(bytes), usual_place).sound();
  };
  EXPECT_TRUE(sound(header));
  EXPECT_FALSE(sound(header.substr(0, 140)));
  // Version, length of names, of filters, largest object, columns, smallest and largest block, size
  // of the whole, rows
  for (const std::size_t at : {4, 5, 7, 10, 110, 112, 120, 128, 141})
    EXPECT_FALSE(sound(changed(header, at, 99, 1))) << at;
  EXPECT_TRUE(sound(changed(header, 140, 22, 2)));
  EXPECT_FALSE(sound(changed(header, 140, 23, 2)));
}

TEST(Hdf5Heap, WhatIsNotThere) {
  for (const int links : {9, 200}) {
    const ManyLinks file(links);
    const hdf5::Heap heap(bytes_of(file.heap_header()), usual_place);
    const auto found = [&](int kind, std::uint64_t offset, std::uint64_t length,
                           const std::string& bytes) {
      const std::string id = number(std::uint64_t(kind), 1) + number(offset, 4) + number(length, 2);
      return !heap.object(bytes_of(id), only(bytes)).empty();
    };
    EXPECT_TRUE(found(0, 30, 20, file.bytes));
    EXPECT_FALSE(found(0x10, 30, 20, file.bytes));  // larger or smaller than those in blocks
    EXPECT_FALSE(found(0x20, 30, 20, file.bytes));
    EXPECT_FALSE(found(0x40, 30, 20, file.bytes));
    EXPECT_FALSE(found(0, 30, 0, file.bytes));
    EXPECT_FALSE(found(0, 500, 20, file.bytes));  // beyond its block
    EXPECT_FALSE(found(0, 0xffffffff, 1, file.bytes));
    EXPECT_FALSE(found(0, 30, 20, file.bytes.substr(0, 300)));
    for (const char* block : {"FHDB", "FHIB"}) {
      std::string others = file.bytes;
      for (auto at = others.find(block); at != std::string::npos; at = others.find(block))
        others[at] = 'X';
      const bool has_any = others != file.bytes;
      EXPECT_EQ(found(0, 30, 20, others), !has_any) << block;
    }
  }
  EXPECT_TRUE(hdf5::Heap({}, usual_place).object({}, only("")).empty());
}

}  // namespace
}  // namespace tamis::test
