// Numbers in text files, read the same in every locale.
#pragma once

#include <fmt/format.h>

#include <algorithm>
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

// Is a number in decimal digits, of which it is known that its size is out of range, too small?
inline bool is_tiny(std::string_view number) {
  constexpr std::size_t enough = 12;  // digits of an exponent next to which nothing else matters
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, e);
  std::string_view exponent = number.substr(std::min(e + 1, number.size()));
  const bool negative = exponent.starts_with('-');
  exponent.remove_prefix(std::min(exponent.find_first_not_of("+-0"), exponent.size()));
  if (exponent.size() > enough) return negative;
  long long power = 0;
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
  // The first digit that counts stands for so many powers of ten.
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = std::min(digits.find_first_of("123456789"), digits.size());
  const auto place = static_cast<long long>(point) - static_cast<long long>(first);
  return (negative ? -power : power) + place < 0;
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
  return is_tiny(text);
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
