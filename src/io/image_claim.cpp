#include "io/image_claim.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

namespace tamis {
namespace {

using Bytes = std::span<const unsigned char>;

constexpr std::uint64_t harmless = std::uint64_t(1) << 22;  // pixels
constexpr std::uint64_t most_of_png = 8 * 1100;             // one bit each, deflated
constexpr std::uint64_t most_of_jpeg = 1024;                // one bit for a block of 8×8
constexpr std::uint64_t most_of_bmp = std::uint64_t(1) << 14;
constexpr std::uint64_t most_of_tiff = std::uint64_t(1) << 18;  // blank fax pages
constexpr std::uint64_t most_of_anymap = 8;

bool has(Bytes bytes, std::size_t at, std::string_view text) {
  if (bytes.size() < at || bytes.size() - at < text.size()) return false;
  return std::equal(text.begin(), text.end(), bytes.begin() + std::ptrdiff_t(at),
                    [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; });
}

// An unsigned number of so many bytes; 0 beyond the end
std::uint64_t number(Bytes bytes, std::uint64_t at, std::size_t size, bool little) {
  if (at > bytes.size() || bytes.size() - at < size) return 0;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value = value << 8 | bytes[std::size_t(at) + (little ? size - 1 - i : i)];
  return value;
}

ImageClaim png(Bytes bytes) {
  return {number(bytes, 16, 4, false), number(bytes, 20, 4, false), most_of_png};
}

ImageClaim jpeg(Bytes bytes) {
  constexpr int start_of_scan = 0xDA;
  const auto has_size = [](int marker) {
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
  };
  ImageClaim claim{.most_per_byte = most_of_jpeg};
  for (std::size_t at = 2; at + 3 < bytes.size();) {
    const int marker = bytes[at + 1];
    if (bytes[at] != 0xFF || marker == 0xFF) {
      ++at;
    } else if (marker == 0 || marker == 0x01 || (marker & 0xF8) == 0xD0) {
      at += 2;
    } else {
      // The largest of several, whichever the decoder takes
      if (has_size(marker)) {
        claim.height = std::max(claim.height, number(bytes, at + 5, 2, false));
        claim.width = std::max(claim.width, number(bytes, at + 7, 2, false));
      }
      if (marker == start_of_scan) break;
      at += 2 + std::size_t(number(bytes, at + 2, 2, false));
    }
  }
  return claim;
}

ImageClaim bmp(Bytes bytes) {
  constexpr std::uint64_t old_header = 12;
  const auto size = [&](std::size_t at) {
    return std::uint64_t(std::abs(std::int64_t(std::int32_t(number(bytes, at, 4, true)))));
  };
  if (number(bytes, 14, 4, true) == old_header)
    return {number(bytes, 18, 2, true), number(bytes, 20, 2, true), most_of_bmp};
  return {size(18), size(22), most_of_bmp};
}

ImageClaim tiff(Bytes bytes, bool little) {
  constexpr std::uint64_t width_tag = 256, height_tag = 257, short_type = 3;
  const bool big = number(bytes, 2, 2, little) == 43;
  const std::size_t word = big ? 8 : 4, entry = big ? 20 : 12, count_size = big ? 8 : 2;
  const std::uint64_t directory = number(bytes, big ? 8 : 4, word, little);
  ImageClaim claim{.most_per_byte = most_of_tiff};
  if (directory >= bytes.size()) return claim;
  const std::uint64_t entries =
      std::min<std::uint64_t>(number(bytes, directory, count_size, little), bytes.size() / entry);
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::uint64_t at = directory + count_size + i * entry;
    const std::uint64_t tag = number(bytes, at, 2, little);
    if (tag != width_tag && tag != height_tag) continue;
    const bool is_short = number(bytes, at + 2, 2, little) == short_type;
    const std::uint64_t value = number(bytes, at + 4 + word, is_short ? 2 : 4, little);
    std::uint64_t& size = tag == width_tag ? claim.width : claim.height;
    size = std::max(size, value);
  }
  return claim;
}

ImageClaim anymap(std::string_view text) {
  text.remove_prefix(2);
  const auto width = next_number(text), height = next_number(text);
  const auto size = [](std::optional<int> n) { return std::uint64_t(std::max(n.value_or(0), 0)); };
  return {size(width), size(height), most_of_anymap};
}

}  // namespace

bool ImageClaim::possible(std::size_t bytes) const {
  const std::uint64_t most = std::max(harmless, bytes * most_per_byte);
  return width == 0 || height <= most / width;
}

std::optional<ImageClaim> claim_of_image(Bytes bytes) {
  using namespace std::string_view_literals;
  if (has(bytes, 0, "\x89PNG\r\n\x1a\n")) return png(bytes);
  if (has(bytes, 0, "\xFF\xD8\xFF")) return jpeg(bytes);
  if (has(bytes, 0, "BM")) return bmp(bytes);
  for (const auto magic : {"II*\0"sv, "II+\0"sv})
    if (has(bytes, 0, magic)) return tiff(bytes, true);
  for (const auto magic : {"MM\0*"sv, "MM\0+"sv})
    if (has(bytes, 0, magic)) return tiff(bytes, false);
  if (bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' &&
      (std::isspace(bytes[2]) != 0 || bytes[2] == '#'))
    return anymap({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return std::nullopt;
}

std::optional<int> next_number(std::string_view& text) {
  while (!text.empty() &&
         (std::isspace(static_cast<unsigned char>(text[0])) != 0 || text[0] == '#'))
    text.remove_prefix(text[0] == '#' ? std::min(text.find('\n'), text.size() - 1) + 1 : 1);
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc()) return std::nullopt;
  text.remove_prefix(std::size_t(end - text.data()));
  return value;
}

}  // namespace tamis
