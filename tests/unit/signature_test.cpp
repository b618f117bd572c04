// Which files are shown to the image and video libraries.
#include "io/signature.hpp"

#include <gtest/gtest.h>

#include <string>

#include "io/image_claim.hpp"

namespace tamis::test {
namespace {

using namespace std::string_literals;

FirstBytes bytes(const std::string& text) {
  return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

TEST(Signature, Images) {
  for (const std::string& text :
       {"\x89PNG\r\n\x1a\n..."s, "\xff\xd8\xff\xe0"s, "BM...."s, "II*\0"s, "MM\0*"s, "P1\n"s,
        "P2 3"s, "P3\t3"s, "P4#c"s, "P5\r\n"s, "P6\n5"s})
    EXPECT_TRUE(claim_of_image(bytes(text)).has_value()) << text;
  for (const std::string& text : {""s, "P"s, "P5"s, "P0\n"s, "P7\n"s, "PF\n"s, "P55"s, "Q5\n"s,
                                  "GIF89a"s, "NITF02.10"s, "\xff\xd8"s, "II*"s, "B"s, "\x89PNG"s})
    EXPECT_FALSE(claim_of_image(bytes(text)).has_value()) << text;
}

TEST(Signature, Videos) {
  const std::string filling(400, '.');
  for (const std::string& text :
       {"\0\0\0\x18"s + "ftypmp42", "\0\0\0\x08wide"s, "1234moov"s, "1234mdat"s,
        "RIFF\x10\0\0\0AVI LIST"s, "\x1a\x45\xdf\xa3"s, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"s,
        "\0\0\x01\xba"s, "\0\0\x01\xb3"s, "\0\0\0\x01g"s})
    EXPECT_TRUE(begins_like_video(bytes(text + filling))) << text;
  for (const std::string& text : {""s, "ftyp"s, "#EXTM3U\n"s, "v=0\no=- 0 0 IN IP4"s,
                                  "ffconcat version 1.0\n"s, "RIFF\x10\0\0\0WAVE"s, "\0\0\x02"s})
    EXPECT_FALSE(begins_like_video(bytes(text + filling))) << text;
  EXPECT_FALSE(begins_like_video(bytes("RIFF1234AVI")));  // too short
}

TEST(Signature, TransportStreams) {
  std::string packets(400, '.');
  packets[0] = 'G';
  EXPECT_FALSE(begins_like_video(bytes(packets)));
  packets[188] = 'G';
  EXPECT_TRUE(begins_like_video(bytes(packets)));
  std::string with_times(400, '.');  // 192 bytes each, the first four a time
  with_times[4] = with_times[196] = 'G';
  EXPECT_TRUE(begins_like_video(bytes(with_times)));
  EXPECT_FALSE(begins_like_video(bytes(packets.substr(0, 188))));
}

}  // namespace
}  // namespace tamis::test
