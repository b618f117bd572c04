#include "generate/options.hpp"

#include <charconv>
#include <cmath>

namespace tamis {

void read_count(std::string_view where, std::string_view text, Index& value) {
  constexpr double most_exact = 0x1p53;
  constexpr Index most = Index(1) << 60;  // as in a state: there must be room to go on counting
  text = text::trimmed(text);
  double number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, status] = std::from_chars(text.data(), last, number);
  const bool scientific = text.find_first_of(".eE") != std::string_view::npos;
  if (scientific && status == std::errc() && end == last && std::floor(number) == number &&
      std::abs(number) <= most_exact) {
    value = Index(number);
  } else {
    Index count = 0;
    text::read(where, text, count);
    if (count < -most || count > most)
      throw SettingsError(fmt::format("{}: {} is too large to be counted", where, count));
    value = count;
  }
}

}  // namespace tamis
