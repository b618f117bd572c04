#include "settings/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace tamis::text {
namespace {

// Levenshtein's distance: insertions, deletions and replacements that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string_view> closest(std::string_view word,
                                        const std::vector<std::string>& known) {
  constexpr std::size_t longest = 64;  // nobody means a word with such a text
  if (word.size() > longest) return std::nullopt;
  // A longer word may hold more slips before the guess becomes far-fetched.
  std::size_t allowed = word.size() < 3 ? 1 : std::max<std::size_t>(2, 1 + word.size() / 4);
  std::optional<std::string_view> best;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    const bool nearer = best ? distance < allowed : distance <= allowed;
    if (!nearer || distance >= candidate.size()) continue;
    allowed = distance;
    best = candidate;
  }
  return best;
}

std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 80;
  std::size_t end = std::min(word.size(), longest);
  if (end < word.size())
    while (end > 0 && (word[end] & 0xC0) == 0x80) --end;  // not in the middle of a UTF-8 character
  std::string text;
  for (const char c : word.substr(0, end)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F)  // what a terminal would obey
      text += fmt::format("\\x{:02x}", byte);
    else
      text += c;
  }
  return fmt::format("\"{}{}\"", text, end < word.size() ? "…" : "");
}

std::string not_known(std::string_view word, const std::vector<std::string>& known) {
  std::string sentence = fmt::format("{} is not known", quoted(word));
  if (const auto guess = closest(word, known)) {
    sentence += fmt::format("; did you mean {}?", quoted(*guess));
  }
  return sentence + fmt::format(" ({})", fmt::join(known, ", "));
}

}  // namespace tamis::text
