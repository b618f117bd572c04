#include <fmt/format.h>

#include <type_traits>

#include "settings/text.hpp"
#include "tamis/settings.hpp"

namespace tamis {
namespace {

std::string list(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

template <class T>
struct WithoutOptional {
  using type = T;
};
template <class T>
struct WithoutOptional<std::optional<T>> {
  using type = T;
};

template <class T>
std::string allowed(const Range& range) {
  if constexpr (std::is_same_v<T, bool>) {
    return "true or false";
  } else if constexpr (std::is_same_v<T, double>) {
    return text::in_words(range);
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return "whole number, at least 0";
  } else if constexpr (std::is_same_v<T, Index>) {
    return "whole number, " + text::in_words(range);
  } else if constexpr (std::is_same_v<T, Groups>) {
    return "groups of indices, such as 0,1;2,3";
  } else if constexpr (Choice<T>) {
    return list(text::option_names<T>());
  } else {
    std::vector<std::string> rules;
    T defaults;
    T::fields(defaults,
              [&]<class Field>(std::string_view name, Field&, const Range& rule, std::string_view) {
                rules.push_back(fmt::format("{} {}", name, allowed<Field>(rule)));
              });
    return fmt::format("{} with {}", fmt::join(text::field_names<T>(), ","), list(rules));
  }
}

template <class T>
std::string default_in_words(const T& value) {
  if constexpr (Choice<T>) {
    return std::string(name_of(value));  // the parameters' defaults stand with the option
  } else {
    return text::write(value);
  }
}
template <class T>
std::string default_in_words(const std::optional<T>& value) {
  return value ? default_in_words(*value) : "by algorithm";
}
std::string default_in_words(const Groups& groups) {
  return groups.empty() ? "one group" : text::write(groups);
}

template <class Option>
std::string form() {
  if constexpr (BareNumber<Option>) return "a number";
  const std::vector<std::string> parameters = text::field_names<Option>();
  return fmt::format("{}{}{}", Option::name, parameters.empty() ? "" : ":",
                     fmt::join(parameters, ","));
}

template <class Option>
void describe_option(std::string_view field, const Option& option,
                     std::vector<FieldDescription>& rows) {
  const std::string name = fmt::format("{} {}", field, Option::name);
  rows.push_back({name, "", form<Option>(), std::string(Option::help)});
  Option::fields(option, [&]<class Field>(std::string_view parameter, const Field& value,
                                          const Range& range, std::string_view help) {
    rows.push_back({fmt::format("{} {}", name, parameter), text::write(value),
                    allowed<Field>(range), std::string(help)});
  });
}

}  // namespace

std::vector<FieldDescription> describe_settings() {
  std::vector<FieldDescription> rows;
  Settings defaults;
  Settings::fields(defaults, [&]<class Field>(std::string_view name, const Field& value,
                                              const Range& range, std::string_view help) {
    using Value = typename WithoutOptional<Field>::type;
    rows.push_back(
        {std::string(name), default_in_words(value), allowed<Value>(range), std::string(help)});
  });
  return rows;
}

std::vector<FieldDescription> describe_choices() {
  std::vector<FieldDescription> rows;
  Settings defaults;
  Settings::fields(defaults, [&]<class Field>(std::string_view name, const Field&, auto&&...) {
    using Value = typename WithoutOptional<Field>::type;
    if constexpr (Choice<Value>) {
      for_each_option<Value>([&](const auto& option) { describe_option(name, option, rows); });
    }
  });
  return rows;
}

}  // namespace tamis
