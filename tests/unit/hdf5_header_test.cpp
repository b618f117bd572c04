// Headers and heaps of HDF5 files, in one piece or in several: every part is looked at.
#include <gtest/gtest.h>

#include "io/hdf5/header.hpp"
#include "support/hdf5_links.hpp"

namespace tamis::test {
namespace {

using namespace std::literals;

std::string old_message(std::uint64_t type, const std::string& body) {
  return number(type, 2) + number(body.size(), 2) + zeros(4) + body;
}
std::string old_header(const std::string& messages) {
  return "\1\0\2\0\1\0\0\0"s + number(messages.size(), 4) + zeros(4) + messages;
}
std::string new_message(std::uint64_t type, const std::string& body, bool ordered) {
  return number(type, 1) + number(body.size(), 2) + zeros(ordered ? 3 : 1) + body;
}
std::string new_header(int flags, const std::string& messages) {
  const int between = ((flags & 0x20) != 0 ? 16 : 0) + ((flags & 0x10) != 0 ? 4 : 0);
  return "OHDR\2"s + number(std::uint64_t(flags), 1) + zeros(between) +
         number(messages.size(), 1 << (flags & 3)) + messages + "sum!";
}
const std::string right_value = number(4, 4) + "four", wrong_value = number(5, 4) + "four";

class Hdf5Headers : public ::testing::Test {
 protected:
  Hdf5Headers() { headers.learn_sizes(bytes_of("\x89HDF\r\n\x1a\n\2\10\10\0"s), 0); }
  bool sound(const std::string& bytes, std::uint64_t at) {
    return headers.sound(bytes_of(bytes), at, more);
  }
  // A file that goes on for ever
  static std::vector<std::byte> more(std::uint64_t, std::uint64_t bytes) {
    return std::vector<std::byte>(bytes);
  }
  hdf5::Headers headers;
};

TEST_F(Hdf5Headers, EveryMessageIsLookedAt) {
  const std::string right = old_message(4, right_value), wrong = old_message(4, wrong_value);
  EXPECT_TRUE(sound(old_header(right + right), 96));
  EXPECT_FALSE(sound(old_header(wrong + right), 96));
  EXPECT_FALSE(sound(old_header(right + wrong), 96));
  EXPECT_FALSE(sound(old_header(old_message(4, right_value).substr(0, 14)), 96));
  EXPECT_TRUE(sound(old_header(right) + wrong, 96));  // no more of it
}

// The library reads 512 bytes, and then the rest if there is more.
TEST_F(Hdf5Headers, LongOnes) {
  constexpr int first = 512, at = 96;
  for (const bool old : {true, false})
    for (const std::string& last : {right_value, wrong_value}) {
      SCOPED_TRACE(old);
      const std::string fill(600, 'x');  // of a kind that nobody knows
      const std::string header =
          old ? old_header(old_message(99, fill) + old_message(4, last))
              : new_header(1, new_message(99, fill, false) + new_message(4, last, false));
      const auto file = only(zeros(at) + header + zeros(1000));
      const bool right = last == right_value;
      const hdf5::Bytes bytes = bytes_of(header);
      EXPECT_EQ(headers.sound(bytes.first(first), at, file), right);
      EXPECT_TRUE(headers.is_rest(bytes.subspan(first), at + first));
      EXPECT_FALSE(headers.is_rest(bytes.subspan(first), at));
      EXPECT_TRUE(headers.sound(bytes.subspan(first), at + first, file));
      EXPECT_FALSE(headers.is_rest(bytes.subspan(first), at + first));
      EXPECT_FALSE(headers.sound(bytes.first(first), at, only(zeros(at) + header.substr(0, 600))));
    }
}

TEST_F(Hdf5Headers, LongerThanNumbersGo) {
  std::string header = new_header(3, new_message(99, "x", false));
  header.replace(6, 8, number(~std::uint64_t(0) - 1, 8));
  EXPECT_FALSE(headers.sound(bytes_of(header), 48, only(zeros(48) + header)));
}

// The rest may begin like a header, at the end of a file or where one could have its size.
TEST_F(Hdf5Headers, RestsThatLookLikeHeaders) {
  constexpr std::size_t first = 512, at = 96;
  std::string hidden = old_header(old_message(4, wrong_value));
  for (const bool old : {true, false})
    for (const std::size_t rest : {std::size_t(100), first}) {
      const std::size_t around = old ? 24 : 8 + 4 + 4;  // what is not the body of the message
      std::string fill(first + rest - around, 'x');
      fill.replace(first - (old ? 24 : 12), hidden.size(), hidden);
      const std::string header =
          old ? old_header(old_message(99, fill)) : new_header(1, new_message(99, fill, false));
      ASSERT_EQ(header.substr(first, hidden.size()), hidden);
      for (const int behind : {0, 1000}) {
        const auto file = only(zeros(at) + header + zeros(behind));
        EXPECT_TRUE(headers.sound(bytes_of(header).first(first), at, file));
        EXPECT_TRUE(headers.sound(bytes_of(header).subspan(first), at + first, file));
        EXPECT_FALSE(headers.sound(bytes_of(header).subspan(first), at + first, file));
      }
    }
}

// Where the library does not go on with a header, what comes next is not its rest.
TEST_F(Hdf5Headers, NotTheRest) {
  constexpr std::size_t first = 512, at = 96;
  const std::string right = new_header(0x11, new_message(99, std::string(1000, 'x'), false));
  std::string hidden = old_header(old_message(4, wrong_value));
  hidden.resize(right.size() - first);
  const auto refused = [&](const std::string& header) {
    const auto file = only(zeros(at) + header + zeros(1000));
    const bool begun = headers.sound(bytes_of(header).first(first), at, file);
    return !begun && !headers.sound(bytes_of(hidden), at + first, file);
  };
  EXPECT_FALSE(refused(right));
  EXPECT_TRUE(refused(changed(right, 4, 3, 1)));     // version
  EXPECT_TRUE(refused(changed(right, 5, 0x51, 1)));  // flags
  EXPECT_TRUE(refused(changed(right, 8, 1, 2)));     // limits: at least one, at most none
  const std::string old = old_header(old_message(99, std::string(first + 176, 'x')));
  hidden.resize(old.size() - first);
  EXPECT_FALSE(refused(old));
  EXPECT_TRUE(refused(changed(old, 2, 0, 2)));  // no messages
}

// The library does not look at the byte behind the version.
TEST_F(Hdf5Headers, WhatIsNotSaid) {
  EXPECT_TRUE(sound(changed(old_header(old_message(4, right_value)), 1, 0x77, 1), 96));
  EXPECT_FALSE(sound(changed(old_header(old_message(4, wrong_value)), 1, 0x77, 1), 96));
}

TEST_F(Hdf5Headers, NewForms) {
  for (const int flags : {0, 1, 2, 3, 4, 0x10, 0x20, 0x37}) {
    SCOPED_TRACE(flags);
    const bool ordered = (flags & 4) != 0;
    const std::string right = new_message(4, right_value, ordered);
    const std::string wrong = new_message(4, wrong_value, ordered);
    EXPECT_TRUE(sound(new_header(flags, right + right + "gap"), 48));
    EXPECT_FALSE(sound(new_header(flags, right + wrong), 48));
    EXPECT_FALSE(sound(new_header(flags, right + wrong + "gap"), 48));
  }
}

TEST_F(Hdf5Headers, WhereAHeaderGoesOn) {
  const std::string right = old_message(4, right_value), wrong = old_message(4, wrong_value);
  const std::string go_on = number(800, 8) + number(right.size(), 8);
  EXPECT_TRUE(sound(wrong, 800));  // nobody said that it is one
  EXPECT_TRUE(sound(old_header(old_message(16, go_on)), 96));
  EXPECT_TRUE(sound(right, 800));
  EXPECT_FALSE(sound(wrong, 800));
  EXPECT_FALSE(sound(old_header(old_message(16, go_on.substr(1))), 96));
}

TEST_F(Hdf5Headers, WhereANewHeaderGoesOn) {
  const std::string right = "OCHK" + new_message(4, right_value, true) + "sum!";
  const std::string wrong = "OCHK" + new_message(4, wrong_value, true) + "sum!";
  const std::string go_on = number(800, 8) + number(right.size(), 8);
  EXPECT_TRUE(sound(new_header(4, new_message(16, go_on, true)), 48));
  EXPECT_TRUE(sound(right, 800));
  EXPECT_FALSE(sound(wrong, 800));
  EXPECT_FALSE(sound("OCHK", 800));
}

// Headers that go on in the same part, again and again, would be looked through as often.
TEST_F(Hdf5Headers, PartsOfManyHeaders) {
  const auto go_on = [](int at, int bytes) {
    return old_header(
        old_message(16, number(std::uint64_t(at), 8) + number(std::uint64_t(bytes), 8)));
  };
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(sound(go_on(800, 16), 96));
    EXPECT_TRUE(sound(go_on(900, 16), 192));
  }
  EXPECT_TRUE(sound(go_on(800, 16), 288));
  EXPECT_FALSE(sound(go_on(800, 16), 384));
  EXPECT_TRUE(sound(go_on(900, 24), 192));
  EXPECT_FALSE(sound(go_on(900, 32), 192));
}

TEST_F(Hdf5Headers, PartsThatOverlap) {
  const auto sound_with = [](std::uint64_t parts) {
    std::string messages;
    for (std::uint64_t i = 0; i < parts; ++i)
      messages += old_message(16, number(800 + 8 * i, 8) + number(100, 8));
    hdf5::Headers fresh;
    fresh.learn_sizes(bytes_of("\x89HDF\r\n\x1a\n\2\10\10\0"s), 0);
    const std::string header = old_header(messages);
    return fresh.sound(bytes_of(header), 0, only(header + zeros(1000 - int(header.size()))));
  };
  EXPECT_TRUE(sound_with(20));  // as often as they can be, if some look like headers
  EXPECT_FALSE(sound_with(21));
}

// A place that is said to be both a header and a further part of another, and has a size that both
// can have
TEST_F(Hdf5Headers, BothAtOnce) {
  // As a part: a shape of 16 bytes, then 480 of an unknown kind. As a header: a message of 488
  // bytes, whose first four claim more.
  const std::string both = "\1\0\x10\0\1\0\0\0"s + number(496, 4) + zeros(4) + number(4, 2) +
                           number(488, 2) + zeros(4) + old_message(99, zeros(480));
  const std::string go_on = number(800, 8) + number(both.size(), 8);
  EXPECT_TRUE(sound(old_header(old_message(16, go_on)), 96));
  EXPECT_FALSE(sound(both, 800));
  EXPECT_FALSE(headers.sound(bytes_of(both), 800, only(zeros(800) + both)));
}

// A further part that begins with a shape, as a header does
TEST_F(Hdf5Headers, PartsThatLookLikeHeaders) {
  const std::string sizes = "\1\1\1\0\0\0\0\0"s + number(9, 8) + number(9, 8);
  std::string part = old_message(1, sizes) + old_message(4, right_value + zeros(400));
  for (const std::size_t size : {part.size(), std::size_t(512)}) {
    part.resize(size);
    const auto file = only(zeros(800) + part);
    const std::string go_on = number(800, 8) + number(part.size(), 8);
    EXPECT_FALSE(headers.sound(bytes_of(part), 800, file));
    EXPECT_TRUE(sound(old_header(old_message(16, go_on)), 96));
    EXPECT_TRUE(headers.sound(bytes_of(part), 800, file));
    EXPECT_TRUE(headers.sound(bytes_of(part), 800, only(zeros(800) + part + zeros(9000))));
  }
}

TEST_F(Hdf5Headers, AddressesCountFromTheFirstBlock) {
  headers = {};
  headers.learn_sizes(bytes_of("\x89HDF\r\n\x1a\n\0\0\0\0\0\4\4\0"s), 512);
  const std::string wrong = old_message(4, wrong_value);
  EXPECT_TRUE(sound(old_header(old_message(16, number(800, 4) + number(wrong.size(), 4))), 608));
  EXPECT_TRUE(sound(wrong, 800));
  EXPECT_FALSE(sound(wrong, 1312));
}

// What follows it is read in the same way, and may begin as it does.
TEST_F(Hdf5Headers, TheFirstBlockIsBelievedOnce) {
  headers.learn_sizes(bytes_of("\x89HDF\r\n\x1a\n\2\4\4\0"s), 512);
  const std::string wrong = old_message(4, wrong_value);
  EXPECT_TRUE(sound(old_header(old_message(16, number(800, 8) + number(wrong.size(), 8))), 96));
  EXPECT_FALSE(sound(wrong, 800));
}

// The library would take the head of another message from what lies behind them.
TEST_F(Hdf5Headers, BytesBehindTheLastMessage) {
  const std::string right = old_message(4, right_value);
  EXPECT_TRUE(sound(old_header(right + zeros(8)), 96));
  EXPECT_FALSE(sound(old_header(right + zeros(7)), 96));
}

TEST_F(Hdf5Headers, OtherBlocksOfTheLibrary) {
  EXPECT_TRUE(sound("FRHP" + zeros(40), 2000));
  EXPECT_FALSE(hdf5::Headers().sound(bytes_of("FRHP"), 2000, more));  // before the first block
}

TEST_F(Hdf5Headers, HeapsWithoutEnd) {
  const auto heap = [](int free, const std::string& data) {
    const int at = 32;
    return "HEAP\0\0\0\0"s + number(data.size(), 8) + number(std::uint64_t(free), 8) +
           number(at, 8) + data;
  };
  const auto sound = [&](const std::string& file) {
    hdf5::Headers others = headers;
    return others.sound_heap(bytes_of(file), 0, only(file));
  };
  const auto block = [](int next) { return number(std::uint64_t(next), 8) + number(16, 8); };
  EXPECT_TRUE(sound(heap(1, "names")));
  EXPECT_TRUE(sound(heap(0, block(1))));
  EXPECT_TRUE(sound(heap(16, block(1) + block(0))));
  EXPECT_FALSE(sound(heap(0, block(0))));
  EXPECT_FALSE(sound(heap(0, block(16) + block(0))));
  EXPECT_FALSE(sound(heap(8, block(1))));
  EXPECT_FALSE(sound(heap(100, block(1))));
  EXPECT_FALSE(sound(heap(1, "names").substr(0, 36)));
  EXPECT_FALSE(sound(heap(1, "names").substr(0, 20)));
  EXPECT_TRUE(sound("the data of one"));
}

// The library keeps them for the heap that was read first, and the other one has none.
TEST_F(Hdf5Headers, NamesOfAnotherHeap) {
  const std::string head = "HEAP\0\0\0\0"s + number(5, 8) + number(1, 8) + number(64, 8);
  const std::string file = head + head + "names";
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(headers.sound_heap(bytes_of(file), 0, only(file)));
  EXPECT_FALSE(headers.sound_heap(bytes_of(file).subspan(32), 32, only(file)));
}

// Read with what comes before, or alone
TEST_F(Hdf5Headers, TheLastByteOfNames) {
  const std::string head = "HEAP\0\0\0\0"s + number(5, 8) + number(1, 8) + number(32, 8);
  const std::string file = head + "names" + "other";
  const auto ended = [&](const std::string& text, std::uint64_t at) {
    std::string bytes = text;
    headers.end_names(std::as_writable_bytes(std::span(bytes)), at);
    return bytes;
  };
  EXPECT_EQ(ended(file, 0), file);
  EXPECT_TRUE(headers.sound_heap(bytes_of(file), 0, only(file)));
  EXPECT_EQ(ended(file, 0), head + "name\0other"s);
  EXPECT_EQ(ended("names", 32), "name\0"s);
  EXPECT_EQ(ended("snames", 36), "\0names"s);
  for (const std::uint64_t at : {0, 31, 37}) EXPECT_EQ(ended("names", at), "names");
}

}  // namespace
}  // namespace tamis::test
