#include "io/signature.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace tamis {
namespace {

using namespace std::string_view_literals;

std::string_view as_text(FirstBytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <std::size_t n>
bool begins_with_one_of(std::string_view text, const std::array<std::string_view, n>& beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view b) { return text.starts_with(b); });
}

// Packets of a transport stream begin with the same byte, `distance` apart.
bool is_transport_stream(std::string_view text, std::size_t first, std::size_t distance) {
  return text.size() > first + distance && text[first] == 'G' && text[first + distance] == 'G';
}

}  // namespace

bool begins_like_video(FirstBytes bytes) {
  constexpr std::array beginnings{"\x1a\x45\xdf\xa3"sv, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"sv,
                                  "\0\0\x01"sv, "\0\0\0\x01"sv};
  constexpr std::array boxes{"ftyp"sv, "moov"sv, "mdat"sv, "free"sv,
                             "skip"sv, "wide"sv, "pnot"sv, "uuid"sv};
  const std::string_view text = as_text(bytes);
  if (begins_with_one_of(text, beginnings)) return true;
  if (text.size() < 12) return false;
  if (begins_with_one_of(text.substr(4), boxes)) return true;
  if (text.starts_with("RIFF") && text.substr(8).starts_with("AVI ")) return true;
  return is_transport_stream(text, 0, 188) || is_transport_stream(text, 4, 192);
}

}  // namespace tamis
