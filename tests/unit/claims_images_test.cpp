// Images and videos whose headers claim what cannot be, or that are something else: refused before
// the libraries see them.
#include <gtest/gtest.h>

#include <algorithm>

#include "io/image_claim.hpp"
#include "io/photo_file.hpp"
#include "support/little_memory.hpp"
#include "support/sample_files.hpp"
#include "support/temporary_folder.hpp"

namespace tamis::test {
namespace {

using namespace std::string_literals;

std::string number(std::uint64_t value, int size, bool little) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += char(value >> (8 * i));
  if (!little) std::ranges::reverse(bytes);
  return bytes;
}

std::string png(std::uint32_t width, std::uint32_t height) {
  return "\x89PNG\r\n\x1a\n"s + number(13, 4, false) + "IHDR" + number(width, 4, false) +
         number(height, 4, false) + "\x08\x02\0\0\0"s + "crc." + number(0, 4, false) + "IEND";
}

std::string jpeg(std::uint16_t width, std::uint16_t height) {
  return "\xFF\xD8\xFF\xE0"s + number(4, 2, false) + "ab" + "\xFF\xC0" + number(11, 2, false) +
         "\x08" + number(height, 2, false) + number(width, 2, false) + "\x01\x01\x11\0"s +
         "\xFF\xD9";
}

std::string bmp(std::int32_t width, std::int32_t height) {
  return "BM" + number(60, 4, true) + number(0, 4, true) + number(54, 4, true) +
         number(40, 4, true) + number(std::uint32_t(width), 4, true) +
         number(std::uint32_t(height), 4, true) + number(1, 2, true) + number(24, 2, true) +
         std::string(24, '\0') + "abcdef";
}

std::string tiff(std::uint32_t width, std::uint32_t height, bool little, bool big = false) {
  const auto entry = [&](std::uint16_t tag, std::uint32_t value) {
    return number(tag, 2, little) + number(4, 2, little) + number(1, big ? 8 : 4, little) +
           number(value, 4, little) + (big ? "\0\0\0\0"s : ""s);
  };
  const std::string head = (little ? "II" : "MM") + number(big ? 43 : 42, 2, little) +
                           (big ? number(8, 2, little) + number(0, 2, little) : "");
  return head + number(big ? 16 : 8, big ? 8 : 4, little) + number(2, big ? 8 : 2, little) +
         entry(256, width) + entry(257, height);
}

class ImageClaims : public ::testing::Test {
 protected:
  void expect_refused(const std::string& bytes, const std::vector<std::string>& words = {}) {
    SCOPED_TRACE(bytes.substr(0, 30));
    const LittleMemory little;
    write_bytes(folder / "x.png", bytes);
    expect_unreadable(folder / "x.png", words);
    QuietThread quiet;
    expect_file_error([&] { read_photo(folder / "x.png", quiet); }, folder / "x.png", words);
  }

  TemporaryFolder folder;
};

TEST_F(ImageClaims, MorePixelsThanTheFileCanHold) {
  expect_refused(png(30000, 30000), {"30000x30000", "more than its"});
  expect_refused(png(0xFFFFFFFF, 0xFFFFFFFF), {"more than its"});
  expect_refused(jpeg(65535, 65535), {"65535x65535"});
  expect_refused(bmp(30000, 30000), {"30000x30000"});
  expect_refused(bmp(30000, -30000), {"30000x30000"});
  expect_refused(bmp(std::numeric_limits<std::int32_t>::min(), 1 << 30), {"more than its"});
  for (const bool little : {true, false})
    for (const bool big : {true, false})
      expect_refused(tiff(30000, 30000, little, big), {"30000x30000"});
  for (const char* kind : {"P1", "P2", "P3", "P4", "P5", "P6"})
    expect_refused(std::string(kind) + "\n30000 # wide\n30000\n255\nabcd", {"30000x30000"});
  expect_refused("P5\n-3 -3\n255\nabcd");
  expect_refused("P5\n99999999999 1\n255\nabcd");
  expect_refused("P5\nnan nan\n255\nabcd");
}

TEST_F(ImageClaims, SmallOnesMayBeEmpty) {
  const auto claim = [](const std::string& bytes) {
    return claim_of_image({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
  };
  ASSERT_TRUE(claim(png(1000, 1000)));
  EXPECT_TRUE(claim(png(1000, 1000))->possible(100));
  EXPECT_EQ(claim(jpeg(70, 50))->width, 70u);
  EXPECT_EQ(claim(jpeg(70, 50))->height, 50u);
  EXPECT_EQ(claim(tiff(70, 50, false))->width, 70u);
  EXPECT_EQ(claim(bmp(70, -50))->height, 50u);
  // A page without anything on it, as a fax machine sends it
  EXPECT_TRUE(claim(tiff(10000, 14000, true))->possible(1750));
}

// Formats that the libraries know and we do not name, some of which lead to other files
TEST_F(ImageClaims, OtherKinds) {
  for (const std::string& bytes : std::vector<std::string>{
           "RIFF\x20\0\0\0WEBPVP8 "s, "GIF89a\1\0\1\0\0\0\0"s, "\x76\x2f\x31\x01\2\0\0\0"s,
           "#?RADIANCE\n\n-Y 1 +X 1\n", R"(<VRTDataset rasterXSize="1" rasterYSize="1">)",
           "\0\0\0\x0cjP  \r\n\x87\n"s, "P7\nWIDTH 1\nHEIGHT 1\nENDHDR\na", "Pf\n1 1\n-1.0\nabcd",
           "\x59\xa6\x6a\x95"s, "P", "B", "\xFF\xD8"s, "\x89PNG"s, "II*\0"s})
    expect_refused(bytes);
}

TEST_F(ImageClaims, PixelsBrighterThanWhite) {
  expect_refused("P5\n2 1\n100\n\x64\x65", {"brighter than white", "100"});
  expect_refused("P5\n1 1\n1000\n\x03\xe9", {"brighter than white"});
  write_bytes(folder / "x.pgm", "P5\n2 1\n100\n\x64\x32");
  EXPECT_EQ(read_file<double>(folder / "x.pgm"), (Matrix<double>(2, 1) << 1, 0.5).finished());
}

// FFmpeg would follow them wherever they lead.
TEST(VideoClaims, ListsOfAddressesAreNoVideos) {
  const TemporaryFolder folder;
  for (const std::string& bytes : std::vector<std::string>{
           "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1.0,\nother.avi\n",
           "ffconcat version 1.0\nfile other.avi\n", "v=0\nm=video 5004 RTP/AVP 96\n",
           "<?xml version=\"1.0\"?><MPD><Period/></MPD>", "[playlist]\nFile1=other.avi\n"}) {
    for (const char* name : {"x.avi", "x.mp4", "x.mkv"}) {
      write_bytes(folder / name, bytes);
      expect_unreadable(folder / name, {"no frame"});
    }
  }
}

}  // namespace
}  // namespace tamis::test
