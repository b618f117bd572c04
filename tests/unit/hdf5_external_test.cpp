// Lists of files that have the entries of an HDF5 array, written by hand.
#include "io/hdf5/external.hpp"

#include <gtest/gtest.h>

#include "support/hdf5_bytes.hpp"

namespace tamis::test {
namespace {

using namespace std::literals;

constexpr std::uint64_t heap_at = 40;

std::string file_with(const std::string& names) {
  const std::uint64_t data_at = heap_at + 32;
  return zeros(heap_at) + "HEAP\0\0\0\0"s + number(names.size(), 8) + number(1, 8) +
         number(data_at, 8) + names;
}
std::string list(const std::vector<std::uint64_t>& names, std::uint64_t heap = heap_at) {
  std::string text = "\1\0\0\0"s + number(9, 2) + number(names.size(), 2) + number(heap, 8);
  for (const std::uint64_t name : names) text += number(name, 8) + zeros(16);
  return text;
}
bool sound(const std::string& message, const std::string& file) {
  return hdf5::sound_external(bytes_of(message), usual_place, only(file));
}

TEST(Hdf5External, EachFileHasAName) {
  const std::string file = file_with("\0one\0two\0"s);
  EXPECT_TRUE(sound(list({}), file));
  EXPECT_TRUE(sound(list({1, 5}), file));
  EXPECT_FALSE(sound(list({1, 0}), file));  // an empty one
  EXPECT_FALSE(sound(list({1, 9}), file));
  EXPECT_FALSE(sound(list({~std::uint64_t(0)}), file));
  EXPECT_FALSE(sound(list({1, 5}), file_with("\0one\0two"s)));  // without an end
  EXPECT_FALSE(sound(list({1}), file.substr(0, file.size() - 1)));
  EXPECT_FALSE(sound(list({1}, heap_at + 1), file));
  EXPECT_FALSE(sound(list({1}, 5000), file));
}

TEST(Hdf5External, ListsThatEndTooEarly) {
  const std::string file = file_with("\0one\0two\0"s), whole = list({1, 5});
  for (std::size_t bytes = 6; bytes < whole.size(); ++bytes)
    EXPECT_FALSE(sound(whole.substr(0, bytes), file)) << bytes;
}

}  // namespace
}  // namespace tamis::test
