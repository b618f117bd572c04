// Numbers in text files, read the same in every locale.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <string>
#include <string_view>

namespace tamis {

inline std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// True if all of the text is one number. What is too small for T is 0; what is too large is none.
template <class T>
bool parse_number(std::string_view text, T& value) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (stop != end || problem == std::errc::invalid_argument) return false;
  if (problem == std::errc()) return true;
  if constexpr (std::numeric_limits<T>::is_integer) return false;
  value = T(0);
  const std::size_t digit = text.find_first_not_of('-');
  return text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos ||
         text.substr(digit).starts_with("0.") || text.substr(digit).starts_with('.');
}

// As it may appear in a message: short, and without what a terminal would obey.
inline std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string shown;
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F)
      shown += fmt::format("\\x{:02x}", byte);
    else
      shown += c;
  }
  return text.size() > most ? shown + "…" : shown;
}

}  // namespace tamis
