// How long entries of HDF5 arrays are, as several messages in any order say.
#include "io/hdf5/entries.hpp"

#include <gtest/gtest.h>

#include "support/hdf5_bytes.hpp"

namespace tamis::test {
namespace {

constexpr std::uint64_t type = 3, old_fill = 4, fill = 5, layout = 8;
constexpr std::uint64_t array = 96, named = 400, other = 800;

std::string type_of(int bytes) { return zeros(4) + number(std::uint64_t(bytes), 4); }
std::string type_at(std::uint64_t at) { return "\3\2" + number(at, 8); }
std::string fill_of(int bytes) { return "\3\x29" + number(std::uint64_t(bytes), 4) + zeros(bytes); }
std::string old_fill_of(int bytes) { return number(std::uint64_t(bytes), 4) + zeros(bytes); }

std::string chunks_of(int bytes) {
  return "\3\2\2" + zeros(8) + number(7, 4) + number(std::uint64_t(bytes), 4);
}

class Hdf5Entries : public ::testing::Test {
 protected:
  bool learn(std::uint64_t kind, const std::string& body, std::uint64_t object = array,
             std::uint64_t flags = 0) {
    return entries.learn(object, kind, flags, bytes_of(body), usual_place);
  }
  bool learn_shared(std::uint64_t object = array, std::uint64_t at = named) {
    return learn(type, type_at(at), object, 2);
  }
  hdf5::Entries entries;
};

TEST_F(Hdf5Entries, TypeFirst) {
  EXPECT_TRUE(learn(type, type_of(8)));
  EXPECT_TRUE(learn(fill, fill_of(8)));
  EXPECT_TRUE(learn(old_fill, old_fill_of(8)));
  EXPECT_FALSE(learn(old_fill, old_fill_of(4)));
}

TEST_F(Hdf5Entries, TypeLast) {
  EXPECT_TRUE(learn(fill, fill_of(8)));
  EXPECT_FALSE(learn(type, type_of(260)));
  EXPECT_TRUE(learn(fill, fill_of(8), array + 8));
  EXPECT_TRUE(learn(type, type_of(8), array + 8));
}

TEST_F(Hdf5Entries, Chunks) {
  EXPECT_TRUE(learn(type, type_of(8)));
  EXPECT_TRUE(learn(layout, "\3\1" + zeros(16)));  // not in chunks
  EXPECT_TRUE(learn(type, type_of(8), other));
  EXPECT_FALSE(learn(layout, chunks_of(1), other));
  EXPECT_TRUE(learn(layout, chunks_of(8), other + 8));
  EXPECT_FALSE(learn(type, type_of(16), other + 8));
  EXPECT_TRUE(learn(layout, chunks_of(8), other + 16));
  EXPECT_TRUE(learn_shared(other + 16));
  EXPECT_FALSE(learn(type, type_of(4), named));
}

// The library takes one of them.
TEST_F(Hdf5Entries, SeveralMessagesOfAKind) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(learn(type, type_of(8)));
    EXPECT_TRUE(learn(fill, fill_of(8)));
    EXPECT_TRUE(learn_shared(other));
  }
  EXPECT_FALSE(learn(type, type_of(4)));
  EXPECT_FALSE(learn(fill, "\3\x09"));
  EXPECT_FALSE(learn_shared());
  EXPECT_FALSE(learn_shared(other, named + 8));
  EXPECT_FALSE(learn(type, type_of(8), other));
  EXPECT_TRUE(learn(layout, "\3\1" + zeros(16)));
  EXPECT_FALSE(learn(layout, chunks_of(8)));
}

// Round in a circle, or behind one that has the size that is looked at
TEST_F(Hdf5Entries, TypesThatAreElsewhereThemselves) {
  EXPECT_FALSE(learn_shared(named, named));
  EXPECT_TRUE(learn_shared(array, other));
  EXPECT_FALSE(learn_shared(other, other + 8));
  EXPECT_TRUE(learn_shared(array + 8, other + 100));
  EXPECT_FALSE(learn_shared(array + 16, array + 8));
}

TEST_F(Hdf5Entries, NoValue) {
  EXPECT_TRUE(learn(type, type_of(8)));
  EXPECT_TRUE(learn(fill, "\3\x09"));
  EXPECT_TRUE(learn(fill, fill_of(0)));
  EXPECT_TRUE(learn(old_fill, old_fill_of(0)));
  EXPECT_TRUE(learn(fill, "\2\2\2" + zeros(1)));
  EXPECT_TRUE(learn(fill, "\2\2\2\1" + number(0xffffffff, 4)));
  EXPECT_FALSE(learn(fill, "\2\2\2\1" + number(3, 4) + zeros(3)));
}

TEST_F(Hdf5Entries, TypesThatAreObjects) {
  EXPECT_TRUE(learn(fill, fill_of(8)));
  EXPECT_TRUE(learn_shared());
  EXPECT_FALSE(learn(type, type_of(4), named));
  EXPECT_TRUE(learn_shared(other, other + 8));
  EXPECT_TRUE(learn(type, type_of(8), other + 8));
  EXPECT_TRUE(learn_shared(array + 8, other + 8));  // known before
  EXPECT_FALSE(learn(fill, fill_of(4), array + 8));
}

TEST_F(Hdf5Entries, ArraysOfTheirOwn) {
  EXPECT_TRUE(learn(type, type_of(8)));
  EXPECT_TRUE(learn(fill, fill_of(4), array + 8));
  EXPECT_TRUE(learn(99, "x"));
}

}  // namespace
}  // namespace tamis::test
