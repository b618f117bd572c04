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
  hdf5::Heap heap(bytes_of(file.heap_header()), file.heap, usual_place);
  const hdf5::Read more = only(file.bytes);
  hdf5::Owned owned;
  EXPECT_TRUE(heap.find_long_ones(more, owned));
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
    hdf5::Heap heap(bytes_of(header), file.heap, usual_place);
    hdf5::Owned owned;
    return heap.has_long_ones() && heap.find_long_ones(only(bytes), owned);
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
    return hdf5::Heap(bytes_of(bytes), 0, usual_place).sound();
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
    const hdf5::Heap heap(bytes_of(file.heap_header()), file.heap, usual_place);
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
  EXPECT_TRUE(hdf5::Heap({}, 0, usual_place).object({}, only("")).empty());
}

// The library keeps a block with the size that it had when it was read.
TEST(Hdf5Heap, BlocksOfAnother) {
  for (const int links : {9, 200}) {
    const ManyLinks file(links);
    const auto found = [&](std::uint64_t heap_at, std::uint64_t offset, const std::string& bytes) {
      const hdf5::Heap heap(bytes_of(file.heap_header()), heap_at, usual_place);
      const std::string id = number(0, 1) + number(offset, 4) + number(20, 2);
      return !heap.object(bytes_of(id), only(bytes)).empty();
    };
    EXPECT_TRUE(found(file.heap, 30, file.bytes));
    EXPECT_FALSE(found(file.heap + 1, 30, file.bytes));
    for (const std::string block : {"FHDB", "FHIB"}) {
      // With the first part of it
      const std::size_t at = file.bytes.find(block + zeros(1) + number(file.heap, 8) + zeros(4));
      if (at == std::string::npos) continue;
      EXPECT_FALSE(found(file.heap, 30, changed(file.bytes, at + 4, 1, 1)));          // version
      EXPECT_FALSE(found(file.heap, 30, changed(file.bytes, at + 5, 99, 8)));         // whose
      EXPECT_FALSE(found(file.heap, 30, changed(file.bytes, at + 5 + 8, 0x200, 4)));  // which part
    }
    if (links == 9) continue;
    EXPECT_TRUE(found(file.heap, 600, file.bytes));
    const std::size_t table = file.bytes.find("FHIB") + 5 + 8 + 4;  // of places
    const std::string first = file.bytes.substr(table, 8);
    EXPECT_FALSE(found(file.heap, 600, std::string(file.bytes).replace(table + 8, 8, first)));
  }
}

}  // namespace
}  // namespace tamis::test
