// The options of generators from text and against their ranges, by their lists of fields. As text a
// field has dashes where its name has underscores.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "settings/dashes.hpp"
#include "settings/text.hpp"
#include "tamis/error.hpp"
#include "tamis/fields.hpp"
#include "tamis/types.hpp"

namespace tamis {

template <class E>
concept WordEnum = std::is_enum_v<E> && requires(E value) {
  words_for(value);
};

template <class Value>
std::string option_text(const Value& value) {
  if constexpr (WordEnum<Value>) {
    return std::string(words_for(value)[std::size_t(value)]);
  } else {
    return text::write(value);
  }
}

// What fits the range, in words.
template <class Value>
std::string allowed_text(const Value& value, const Range& range) {
  if constexpr (WordEnum<Value>) {
    return fmt::format("{}", fmt::join(words_for(value), ", "));
  } else if constexpr (Choice<Value>) {
    return fmt::format("{}", fmt::join(text::option_names<Value>(), ", "));
  } else if constexpr (std::is_same_v<Value, bool>) {
    return "true or false";
  } else {
    return text::in_words(range);
  }
}

// A count may be written 1e7. Throws SettingsError.
void read_count(std::string_view where, std::string_view text, Index& value);

template <class Value>
void read_option(std::string_view where, std::string_view text, Value& value) {
  if constexpr (WordEnum<Value>) {
    const auto words = words_for(value);
    const auto found = std::ranges::find(words, text::trimmed(text));
    if (found == words.end())
      throw SettingsError(
          fmt::format("{}: {}", where,
                      text::not_known(text::trimmed(text),
                                      std::vector<std::string>(words.begin(), words.end()))));
    value = Value(found - words.begin());
  } else if constexpr (std::is_same_v<Value, Index>) {
    read_count(where, text, value);
  } else {
    text::read(where, text, value);
  }
}

// Throws SettingsError with every option that is out of range.
template <HasFields Options>
void check_options(const Options& options) {
  std::vector<std::string> found;
  Options::fields(options, [&](std::string_view name, const auto& value, const Range& range,
                               std::string_view /*help*/) {
    if constexpr (text::Number<std::remove_cvref_t<decltype(value)>>) {
      if (!range.contains(double(value)))
        found.push_back(fmt::format("{} = {}, must be {}", with_dashes(name), text::write(value),
                                    text::in_words(range)));
    }
  });
  if (!found.empty()) throw SettingsError(fmt::format("{}", fmt::join(found, "\n")));
}

// `samples=1e7,nu-tilde=0.2`, possibly empty. `owner` takes them. Throws SettingsError.
template <HasFields Options>
void read_options(std::string_view owner, std::string_view list, Options& options) {
  if (!text::trimmed(list).empty()) {
    std::vector<std::string> names = text::field_names<Options>();
    for (std::string& name : names) name = with_dashes(name);
    const std::string dashed = with_dashes(list);
    const auto values = text::match_parameters(owner, dashed, "", dashed, names);
    std::size_t i = 0;
    Options::fields(options, [&](std::string_view, auto& value, auto&&...) {
      const std::size_t field = i++;
      if (values[field])
        read_option(fmt::format("{} {}", owner, names[field]), *values[field], value);
    });
  }
  check_options(options);
}

}  // namespace tamis
