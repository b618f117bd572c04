// Virtual arrays of HDF5 files, in blocks written by hand.
#include "io/hdf5/virtual.hpp"

#include <gtest/gtest.h>

#include "support/hdf5_bytes.hpp"

namespace tamis::test {
namespace {

using namespace std::literals;

const std::string all = number(3, 4) + number(1, 4) + zeros(8);

std::string points(std::uint64_t dimensions, std::uint64_t count) {
  return number(1, 4) + number(1, 4) + zeros(8) + number(dimensions, 4) + number(count, 4) +
         zeros(int(4 * dimensions * count));
}
std::string blocks(std::uint64_t dimensions, std::uint64_t count) {
  return number(2, 4) + number(1, 4) + zeros(8) + number(dimensions, 4) + number(count, 4) +
         zeros(int(8 * dimensions * count));
}
std::string regular(std::uint64_t dimensions, std::uint64_t step = 1, std::uint64_t count = 4,
                    std::uint64_t size = 1) {
  std::string text = number(2, 4) + number(2, 4) + zeros(5) + number(dimensions, 4);
  for (std::uint64_t d = 0; d < dimensions; ++d)
    text += number(0, 8) + number(step, 8) + number(count, 8) + number(size, 8);
  return text;
}
std::string source(const std::string& selection, const std::string& place = all) {
  return "file.h5\0array\0"s + selection + place;
}
std::string block_of(const std::string& sources, std::uint64_t count) {
  return zeros(1) + number(count, 8) + sources + "sum!";
}

// A heap with something else before the block
std::string heap_of(const std::string& block) {
  const auto object = [](std::uint64_t index, const std::string& bytes) {
    const std::string filled = bytes + zeros(int((8 - bytes.size() % 8) % 8));
    return number(index, 2) + zeros(6) + number(bytes.size(), 8) + filled;
  };
  const std::string objects =
      object(1, "other") + object(2, block) + number(0, 8) + number(32, 8) + zeros(16);
  return "GCOL\1\0\0\0"s + number(16 + objects.size(), 8) + objects;
}

constexpr std::uint64_t heap_at = 64;
std::string layout(std::uint64_t at = heap_at, std::uint64_t object = 2) {
  return "\4\3" + number(at, 8) + number(object, 4);
}
bool sound_in(const std::string& file, const std::string& message = layout()) {
  return hdf5::sound_virtual(bytes_of(message), usual_place, only(file));
}
bool sound(const std::string& block) { return sound_in(zeros(heap_at) + heap_of(block)); }

TEST(Hdf5Virtual, EverySelection) {
  const std::string none = number(0, 4) + number(1, 4) + zeros(8);
  for (const std::string& selection :
       {all, none, points(2, 3), blocks(3, 2), regular(2), regular(32), regular(1, 1, ~0ULL)})
    for (const std::string& place : {all, regular(2)}) {
      EXPECT_TRUE(sound(block_of(source(selection, place), 1)));
      EXPECT_TRUE(sound(block_of(source(place) + source(selection), 2)));
    }
  EXPECT_TRUE(sound(block_of("", 0)));
}

TEST(Hdf5Virtual, MoreBlocksThanCanBeCompared) {
  constexpr std::uint64_t most = 1 << 14;
  EXPECT_TRUE(sound(block_of(source(blocks(1, most)), 1)));
  EXPECT_FALSE(sound(block_of(source(blocks(1, most + 1)), 1)));
}

TEST(Hdf5Virtual, SelectionsThatCannotBe) {
  for (const std::string& selection :
       {points(0, 3), points(33, 1), blocks(0, 1), blocks(33, 1), regular(0), regular(33),
        regular(2, 0), regular(2, 1, 0), regular(2, 1, 1, 0),
        number(4, 4) + number(1, 4) + zeros(8), number(1, 4) + number(2, 4) + zeros(40),
        number(2, 4) + number(3, 4) + zeros(40)}) {
    EXPECT_FALSE(sound(block_of(source(selection), 1)));
    EXPECT_FALSE(sound(block_of(source(all, selection), 1)));
    EXPECT_FALSE(sound(block_of(source(all) + source(selection), 2)));
  }
}

TEST(Hdf5Virtual, MoreThanThereIs) {
  const std::string right = block_of(source(regular(2)), 1);
  for (std::size_t bytes = 0; bytes < right.size(); ++bytes)
    EXPECT_FALSE(sound(right.substr(0, bytes))) << bytes;
  EXPECT_FALSE(sound(block_of(source(all), 2)));
  EXPECT_FALSE(sound(block_of(source(all), ~std::uint64_t(0))));
  std::string many = points(2, 3);
  many.replace(20, 4, number(0xffffffff, 4));
  EXPECT_FALSE(sound(block_of(source(many), 1)));
  std::string wide = regular(2);
  wide.replace(13, 4, number(0xffffffff, 4));
  EXPECT_FALSE(sound(block_of(source(wide), 1)));
  EXPECT_FALSE(sound("\1" + right.substr(1)));  // version
}

TEST(Hdf5Virtual, Heaps) {
  const std::string heap = heap_of(block_of(source(all), 1)), file = zeros(heap_at) + heap;
  EXPECT_TRUE(sound_in(file));
  EXPECT_FALSE(sound_in(file, layout(heap_at, 3)));
  EXPECT_FALSE(sound_in(file, layout(heap_at, 1)));
  EXPECT_FALSE(sound_in(file, layout(heap_at + 1)));
  EXPECT_FALSE(sound_in(file, layout(file.size())));
  EXPECT_FALSE(sound_in(file.substr(0, file.size() - 1)));
  EXPECT_FALSE(sound_in(file, layout().substr(0, 13)));
  std::string too_long = file;
  too_long.replace(heap_at + 24, 8, number(~std::uint64_t(0), 8));  // the first object
  EXPECT_FALSE(sound_in(too_long));
}

TEST(Hdf5Virtual, HeapsWithoutEnd) {
  const std::string file = zeros(heap_at) + heap_of(block_of(source(all), 1));
  const std::size_t free = file.size() - 24;  // what is said of it
  const auto sound_with = [&](std::uint64_t bytes) {
    return sound_in(std::string(file).replace(free, 8, number(bytes, 8)));
  };
  EXPECT_TRUE(sound_with(32));
  EXPECT_TRUE(sound_with(24));  // too little for another is free, too
  for (const std::uint64_t bytes : {std::uint64_t(0), std::uint64_t(8), std::uint64_t(15),
                                    std::uint64_t(33), ~std::uint64_t(0)})
    EXPECT_FALSE(sound_with(bytes)) << bytes;
}

TEST(Hdf5Virtual, OtherLayouts) {
  EXPECT_TRUE(sound_in("", layout(~std::uint64_t(0))));  // nothing was said yet
  EXPECT_TRUE(sound_in("", "\4\2 chunks"));
  EXPECT_TRUE(sound_in("", "\3\3 none"));
}

}  // namespace
}  // namespace tamis::test
