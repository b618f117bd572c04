// A setting is written once: every struct of settings lists its fields in one static function,
//
//   template <class Self, class Visit>
//   static void fields(Self& self, Visit&& visit) {
//     visit("lambda", self.lambda, at_least(0), "weight of the penalty");
//   }
//
// and validation, JSON, the model file, the text form `name:value,value` and the table in the
// documentation are visitors over that list.
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tamis {

// The values a number may take. NaN is never allowed.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_allowed = true;
  bool finite = true;  // false: infinity is a meaningful value

  constexpr bool contains(double x) const {
    const bool above = low_allowed ? x >= low : x > low;
    const bool infinite = x == std::numeric_limits<double>::infinity() ||
                          x == -std::numeric_limits<double>::infinity();
    return above && x <= high && !(finite && infinite);  // NaN fails the first comparison
  }
};

constexpr Range any_value() { return {}; }
constexpr Range at_least(double low) { return {.low = low}; }
constexpr Range above(double low) { return {.low = low, .low_allowed = false}; }
constexpr Range between(double low, double high) { return {.low = low, .high = high}; }
constexpr Range above_up_to(double low, double high) {
  return {.low = low, .high = high, .low_allowed = false};
}
constexpr Range or_infinite(Range range) {
  range.finite = false;
  return range;
}

struct IgnoreFields {
  template <class... Args>
  constexpr void operator()(Args&&...) const {}
};

template <class C>
concept HasFields = requires(C& c) {
  C::fields(c, IgnoreFields{});
};

// Two structs of settings are equal when all their fields are.
template <HasFields S>
bool operator==(const S& a, const S& b) {
  std::vector<const void*> fields_of_a;
  S::fields(a,
            [&](std::string_view, const auto& value, auto&&...) { fields_of_a.push_back(&value); });
  bool equal = true;
  std::size_t i = 0;
  S::fields(b, [&](std::string_view, const auto& value, auto&&...) {
    using Field = std::remove_cvref_t<decltype(value)>;
    equal &= *static_cast<const Field*>(fields_of_a[i++]) == value;
  });
  return equal;
}

// A choice among several structs, each with a name: std::variant is the registry.
template <class V>
struct IsChoice : std::false_type {};
template <class... Options>
struct IsChoice<std::variant<Options...>> : std::true_type {};
template <class V>
concept Choice = IsChoice<V>::value;

template <Choice C>
std::string_view name_of(const C& choice) {
  return std::visit([](const auto& option) -> std::string_view { return option.name; }, choice);
}

// An option whose text form is its only number: lambda `0.1` instead of `value:0.1`.
template <class Option>
concept BareNumber = requires {
  requires Option::bare_number;
};

// Calls visit with each option of a choice, default-constructed, in the order of the registry.
template <Choice C, class Visit>
void for_each_option(Visit&& visit) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (visit(std::variant_alternative_t<i, C>{}), ...);
  }
  (std::make_index_sequence<std::variant_size_v<C>>{});
}

}  // namespace tamis
