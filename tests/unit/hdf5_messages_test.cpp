// Parts of the headers of HDF5 files that lie about their length: never believed.
#include <gtest/gtest.h>

#include <vector>

#include "io/hdf5/messages.hpp"
#include "support/hdf5_bytes.hpp"

namespace tamis::test {
namespace {

using namespace std::literals;

constexpr hdf5::NumberSizes eight{.address = 8, .length = 8};

std::string type_head(int version, int kind, std::uint64_t flags, std::uint64_t size) {
  return number(std::uint64_t(version << 4 | kind), 1) + number(flags, 3) + number(size, 4);
}
std::string integer(std::uint64_t size = 4) {
  return type_head(1, 0, 8, size) + zeros(2) + number(8 * size, 2);
}
// The bits that are used, then first and count of exponent and mantissa; the sign is the last one
std::string real(int first = 0, int bits = 32, const std::string& fields = "\x17\x08\0\x17"s,
                 int sign = 31) {
  return type_head(1, 1, std::uint64_t(sign) << 8, 4) + number(std::uint64_t(first), 2) +
         number(std::uint64_t(bits), 2) + fields + zeros(4);
}
std::string names(int version, std::uint64_t size) {
  const std::string members = version < 3 ? "NO\0\0\0\0\0\0YES\0\0\0\0\0"s : "NO\0YES\0"s;
  return type_head(version, 8, 2, size) + integer(size) + members + zeros(int(2 * size));
}

// The sizes of a chunk, and the bytes of an entry
std::string chunk(int bytes) { return number(5, bytes) + number(3, bytes) + number(8, bytes); }

struct Message {
  const char* name;
  std::uint64_t type;
  std::string body;  // not a byte too many
  std::uint64_t flags = 0;
};

std::vector<Message> messages() {
  const std::string address = zeros(8), length = zeros(8);
  return {
      {"sizes, version 1", 1, "\1\2\0"s + zeros(5 + 16)},
      {"sizes with maxima", 1, "\1\2\1"s + zeros(5 + 32)},
      {"sizes, version 2", 1, "\2\3\0\1"s + zeros(24)},
      {"integers", 3, integer()},
      {"reals", 3, real()},
      {"times", 3, type_head(1, 2, 0, 4) + zeros(2)},
      {"texts", 3, type_head(1, 3, 0, 40)},
      {"opaque", 3, type_head(1, 5, 8, 3) + "eightabc"},
      {"record, version 1", 3, type_head(1, 6, 1, 4) + "x\0\0\0\0\0\0\0"s + zeros(32) + integer()},
      {"record, version 2", 3,
       type_head(2, 6, 1, 4) + "longname\0\0\0\0\0\0\0\0"s + zeros(4) + integer()},
      {"record, version 3", 3,
       type_head(3, 6, 2, 256) + "x\0"s + zeros(2) + integer() + "y\0"s + zeros(2) + integer()},
      {"names, version 1", 3, names(1, 1)},
      {"names, version 3", 3, names(3, 4)},
      {"texts of any length", 3, type_head(1, 9, 0, 16) + integer()},
      {"arrays, version 2", 3, type_head(2, 10, 0, 24) + "\2"s + zeros(3 + 16) + integer()},
      {"arrays, version 3", 3, type_head(3, 10, 0, 24) + "\2"s + zeros(8) + integer()},
      {"old fill value", 4, number(5, 4) + "value"},
      {"fill value, version 2", 5, "\2\1\1\1"s + number(5, 4) + "value"},
      {"fill value, version 3", 5, "\3\x20"s + number(5, 4) + "value"},
      {"no fill value", 5, "\3\0"s},
      {"link", 6, "\1\0\4name"s + address},
      {"soft link", 6, "\1\x1d\1"s + zeros(9) + number(4, 2) + "name" + number(5, 2) + "other"},
      {"link into another file", 6, "\1\x8\x40\4name"s + number(9, 2) + "\0a.h5\0/x\0"s},
      {"link of another program", 6, "\1\x8\x41\4name"s + number(3, 2) + "any"},
      {"files", 7, "\1\0\0\0\2\0\2\0"s + address + zeros(48)},
      {"layout 1, compact", 8, "\1\2\0"s + zeros(5 + 8) + number(5, 4) + "value"},
      {"layout 1, contiguous", 8, "\1\2\1"s + zeros(5) + address + zeros(8)},
      {"layout 3, compact", 8, "\3\0"s + number(5, 2) + "value"},
      {"layout 3, contiguous", 8, "\3\1"s + address + length},
      {"layout 3, chunked", 8, "\3\2\3"s + address + chunk(4)},
      {"layout 1, chunked", 8, "\1\3\2"s + zeros(5) + address + chunk(4)},
      {"layout 4, one chunk", 8, "\4\2\2\3\2"s + chunk(2) + "\1"s + length + zeros(4) + address},
      {"layout 4, tree", 8, "\4\2\0\3\2"s + chunk(2) + "\5"s + zeros(6) + address},
      {"layout 4, elsewhere", 8, "\4\3"s + address + zeros(4)},
      {"filter, version 1", 11,
       "\1\1"s + zeros(6) + number(1, 2) + number(5, 2) + zeros(2) + number(1, 2) +
           "name\0\0\0\0"s + zeros(8)},
      {"filter, version 2", 11, "\2\1"s + number(1, 2) + zeros(2) + number(3, 2) + zeros(12)},
      {"filter with a name", 11,
       "\2\1"s + number(300, 2) + number(5, 2) + zeros(2) + number(1, 2) + "name\0"s + zeros(4)},
      {"group of the new form", 10, "\0\3"s + zeros(8)},
      {"comment", 13, "text\0"s},
      {"time, old", 14, "20261118120000\0\0"s},
      {"table of shared messages", 15, "\0"s + address + "\1"},
      {"group", 17, address + address},
      {"time", 18, zeros(8)},
      {"sizes of trees", 19, zeros(7)},
      {"driver", 20, "\0NAMENAME"s + number(4, 2) + "info"},
      {"attributes", 21, "\0\0"s + address + address},
      {"attributes in order", 21, "\0\3\0\0"s + address + address + address},
      {"number of links", 22, zeros(5)},
      {"free space", 23, "\1\0\0"s + length + length + zeros(2) + address},
      {"free space that is kept", 23,
       "\1\0\1"s + length + length + zeros(2) + address + zeros(12 * 8)},
      {"free space, version 0", 23, "\0\2"s + length},
      {"free space that is kept, version 0", 23, "\0\1"s + length + zeros(6 * 8)},
      {"type of another object", 3, "\3\2"s + address, 2},
      {"type of another object, version 1", 3, "\1\0"s + zeros(6) + length + address, 2},
  };
}

TEST(Hdf5Messages, HoldWhatTheySay) {
  for (const auto& [name, type, body, flags] : messages()) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(hdf5::holds_what_it_says(type, flags, bytes_of(body), eight));
    EXPECT_TRUE(hdf5::holds_what_it_says(type, flags, bytes_of(body + "rest"), eight));
    for (std::size_t n = 0; n < body.size(); ++n)
      EXPECT_FALSE(hdf5::holds_what_it_says(type, flags, bytes_of(body).first(n), eight)) << n;
  }
}

TEST(Hdf5Messages, NumbersOfOtherSizes) {
  const std::string four_by_four = "\3\1"s + zeros(8), two_by_four = "\3\1"s + zeros(6);
  EXPECT_TRUE(hdf5::holds_what_it_says(8, 0, bytes_of(four_by_four), {.address = 4, .length = 4}));
  EXPECT_FALSE(hdf5::holds_what_it_says(8, 0, bytes_of(two_by_four), {.address = 4, .length = 4}));
  EXPECT_TRUE(hdf5::holds_what_it_says(8, 0, bytes_of(two_by_four), {.address = 2, .length = 4}));
}

TEST(Hdf5Messages, LargerThanTheyMayBecome) {
  const auto sound = [](std::uint64_t size, std::uint64_t most) {
    const std::string body = "\2\2\1\1"s + number(3, 8) + number(size, 8) + number(3, 8);
    return hdf5::holds_what_it_says(1, 0, bytes_of(body + number(most, 8)), eight);
  };
  EXPECT_TRUE(sound(4, 4));
  EXPECT_TRUE(sound(4, ~std::uint64_t(0)));  // without an end
  EXPECT_FALSE(sound(5, 4));
}

// The library keeps 32 bits of the size of a chunk, and of their number what there is room for.
TEST(Hdf5Messages, ChunksThatNobodyHas) {
  const auto old = [](const std::string& sizes, int dimensions) {
    const std::string body = "\3\2" + number(std::uint64_t(dimensions), 1) + zeros(8) + sizes;
    return hdf5::holds_what_it_says(8, 0, bytes_of(body), eight);
  };
  EXPECT_TRUE(old(chunk(4), 3));
  EXPECT_FALSE(old(number(0, 4) + number(3, 4) + number(8, 4), 3));
  EXPECT_FALSE(old(number(8, 4), 1));  // of no dimensions
  std::string many;
  for (int i = 0; i < 34; ++i) many += number(1, 4);
  EXPECT_TRUE(old(many, 33));
  EXPECT_FALSE(old(many, 34));
  const auto newer = [](std::uint64_t size, int bytes) {
    const std::string body = "\4\2\0\2"s + number(std::uint64_t(bytes), 1) + number(size, bytes) +
                             number(8, bytes) + "\3\x0a" + zeros(8);
    return hdf5::holds_what_it_says(8, 0, bytes_of(body), eight);
  };
  EXPECT_TRUE(newer(5, 1));
  EXPECT_TRUE(newer(0xffffffff, 4));
  EXPECT_TRUE(newer(0xffffffff, 8));
  EXPECT_FALSE(newer(std::uint64_t(1) << 32, 8));
  EXPECT_FALSE(newer(0, 4));
  EXPECT_FALSE(newer(5, 0));
  EXPECT_FALSE(newer(5, 9));
}

TEST(Hdf5Messages, NamesOfAnotherSizeThanTheirNumbers) {
  std::string body = names(3, 4);
  body[4] = 5;  // bytes of an entry
  EXPECT_FALSE(hdf5::holds_what_it_says(3, 0, bytes_of(body + zeros(100)), eight));
}

TEST(Hdf5Messages, BitsOutsideOfAnEntry) {
  const auto sound = [](const std::string& body) {
    return hdf5::holds_what_it_says(3, 0, bytes_of(body), eight);
  };
  const std::string head = type_head(1, 0, 8, 2);
  EXPECT_TRUE(sound(head + number(4, 2) + number(12, 2)));
  EXPECT_FALSE(sound(head + number(5, 2) + number(12, 2)));
  EXPECT_FALSE(sound(head + number(0, 2) + number(0, 2)));
  EXPECT_FALSE(sound(head + number(65535, 2) + number(1, 2)));
  const std::string fields = "\x17\x08\0\x17"s;
  EXPECT_FALSE(sound(real(1)));
  // The places of exponent and mantissa are those in the entry, not among the bits that are used.
  EXPECT_TRUE(sound(real(7, 20, "\x14\6\7\x0d"s, 26)));
  EXPECT_FALSE(sound(real(7, 20, "\x14\6\7\x0d"s, 27)));
  EXPECT_FALSE(sound(real(7, 20, "\x14\x08\7\x0d"s, 26)));
  EXPECT_FALSE(sound(real(7, 20, "\x14\6\x0f\x0d"s, 26)));
  EXPECT_FALSE(sound(real(0, 33)));
  EXPECT_FALSE(sound(real(0, 32, fields, 32)));
  EXPECT_FALSE(sound(real(0, 32, "\x19\x08\0\x17"s)));
  EXPECT_FALSE(sound(real(0, 32, "\x17\0\0\x17"s)));
  EXPECT_FALSE(sound(real(0, 32, "\x17\x08\x0a\x17"s)));
  EXPECT_FALSE(sound(real(0, 32, "\x17\x08\0\0"s)));
}

TEST(Hdf5Messages, TypesInTypes) {
  const auto nested = [](int depth) {
    std::string body;
    for (int i = 0; i < depth; ++i) body += type_head(1, 9, 0, 16);
    return body + integer();
  };
  EXPECT_TRUE(hdf5::holds_what_it_says(3, 0, bytes_of(nested(20)), eight));
  EXPECT_FALSE(hdf5::holds_what_it_says(3, 0, bytes_of(nested(5000)), eight));
}

TEST(Hdf5Messages, WhatNobodyCanHold) {
  const auto refused = [](std::uint64_t type, const std::string& body, std::uint64_t flags = 0) {
    EXPECT_FALSE(hdf5::holds_what_it_says(type, flags, bytes_of(body + zeros(300)), eight));
  };
  refused(3, type_head(1, 0, 8, 0) + zeros(4));  // entries of no bytes
  refused(3, type_head(1, 13, 0, 4));            // a kind that there is not
  refused(4, number(0xffffffff, 4));
  refused(5, "\3\x20"s + number(0xffffffff, 4));
  refused(6, "\2\0\4name"s + zeros(8));                           // a link of another version
  refused(6, "\1\x20\4name"s + zeros(8));                         // with an unknown flag
  refused(6, "\1\x8\2\4name"s + zeros(8));                        // of an unknown kind
  refused(6, "\1\x10\2\4name"s + zeros(8));                       // in an unknown encoding
  refused(6, "\1\0\0"s + zeros(8));                               // without a name
  refused(6, "\1\x8\1\4name"s + zeros(2));                        // to nowhere
  refused(6, "\1\x8\x40\4name"s + zeros(2));                      // to no file
  refused(6, "\1\x8\x40\4name"s + number(2, 2));                  // to a file without an object
  refused(6, "\1\x8\x40\4name"s + number(8, 2) + "\0a.h5\0/x"s);  // whose name does not end
  refused(6, "\1\x8\x41\4name"s + zeros(2));
  refused(8, "\4\2\0\2\1"s + zeros(2) + "\x09"s);  // chunks found by an unknown index
  refused(11, "\2\1"s + number(300, 2) + number(4, 2) + zeros(2) + number(0, 2) + "name");
  refused(11, "\1\1"s + zeros(6) + number(1, 2) + number(8, 2) + zeros(4) + "longname");
  refused(15, "\0"s + zeros(8) + "\x9");  // parts that the library has no room for
  refused(15, "\0"s + zeros(8) + "\0"s);
  refused(15, "\1"s + zeros(8) + "\1");
  refused(24, zeros(17));             // a part of the library's memory
  refused(3, "\3\1"s + zeros(8), 2);  // in the table of shared messages
}

}  // namespace
}  // namespace tamis::test
