// The rules: every number within its range, then what must hold between fields.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "settings/groups.hpp"
#include "settings/text.hpp"
#include "tamis/settings.hpp"

namespace tamis {
namespace {

// Compares numbers with their ranges, down into the chosen options.
class RangeCheck {
 public:
  explicit RangeCheck(std::vector<std::string>& found, std::string prefix = "")
      : found_(found), prefix_(std::move(prefix)) {}

  template <class T>
  void operator()(std::string_view name, const T& value, const Range& range,
                  std::string_view /*help*/) {
    check(name, value, range);
  }

 private:
  template <text::Number T>
  void check(std::string_view name, const T& value, const Range& range) {
    const auto number = double(value);
    if (range.contains(number)) return;
    // "at least 0" alone would not tell what is wrong with infinity.
    const bool too_infinite = std::isinf(number) && range.finite;
    found_.push_back(fmt::format("{}{} = {}, must be {}{}", prefix_, name, text::write(value),
                                 text::in_words(range), too_infinite ? " and finite" : ""));
  }

  void check(std::string_view, bool, const Range&) {}
  void check(std::string_view, const Groups&, const Range&) {}

  template <class T>
  void check(std::string_view name, const std::optional<T>& value, const Range& range) {
    if (value) check(name, *value, range);
  }

  template <HasFields S>
  void check(std::string_view name, const S& parameters, const Range&) {
    S::fields(parameters, RangeCheck(found_, fmt::format("{}{}: ", prefix_, name)));
  }

  template <Choice C>
  void check(std::string_view name, const C& choice, const Range&) {
    std::visit([&](const auto& option) { check_option(name, option); }, choice);
  }

  template <class Option>
  void check_option(std::string_view name, const Option& option) {
    if constexpr (BareNumber<Option>) {
      // The user wrote lambda = −1 and never saw the parameter's name.
      Option::fields(option, [&](std::string_view, const auto& value, const Range& range,
                                 std::string_view) { check(name, value, range); });
    } else {
      Option::fields(option,
                     RangeCheck(found_, fmt::format("{}{} {}: ", prefix_, name, Option::name)));
    }
  }

  std::vector<std::string>& found_;
  std::string prefix_;
};

// The names of the options for which `accept` holds.
template <Choice C, class Accept>
std::string names_where(Accept accept) {
  std::vector<std::string_view> names;
  for_each_option<C>([&](const auto& option) {
    if (accept(option)) names.push_back(option.name);
  });
  return fmt::format("{}", fmt::join(names, ", "));
}

AlgorithmScope scope_of(const Settings& settings) {
  return std::visit([](const auto& algorithm) { return algorithm.scope; }, settings.algorithm);
}

// A penalty on h alone is escaped by W → ∞, h → 0.
void check_scale(const Settings& settings, std::vector<std::string>& found) {
  const Constraint constraint = settings.resolved().constraint.value();
  const bool bounded = std::visit([](const auto& set) { return set.bounded(); }, constraint);
  const bool penalized =
      std::visit([](const auto& penalty) { return penalty.active(); }, settings.code_penalty);
  if (bounded || !penalized || settings.dictionary_penalty.active()) return;
  if (!scope_of(settings).code_penalty) return;  // which is refused anyway
  found.push_back(fmt::format(
      "constraint = {} with code_penalty = {}: the scale of W could grow without bound; "
      "choose another constraint ({}) or set a dictionary_penalty",
      text::write(constraint), text::write(settings.code_penalty),
      names_where<Constraint>([](const auto& set) { return set.bounded(); })));
}

// What the algorithm cannot do.
void check_scope(const Settings& settings, std::vector<std::string>& found) {
  const std::string_view algorithm = name_of(settings.algorithm);
  const AlgorithmScope scope = scope_of(settings);
  const auto refuse = [&](std::string_view field, const std::string& value, std::string_view why) {
    found.push_back(
        fmt::format("{} = {} with algorithm = {}: {}; leave {} out or choose another "
                    "algorithm",
                    field, value, algorithm, why, field));
  };
  if (settings.constraint && !scope.constraint.empty() &&
      name_of(*settings.constraint) != scope.constraint) {
    refuse("constraint", text::write(*settings.constraint),
           fmt::format("its atoms are those of constraint {}", scope.constraint));
  }
  if (!scope.code_penalty && !std::holds_alternative<NoCodePenalty>(settings.code_penalty))
    refuse("code_penalty", text::write(settings.code_penalty), "it cannot take a penalty on codes");
  if (!scope.dictionary_penalty && settings.dictionary_penalty.active()) {
    refuse("dictionary_penalty", text::write(settings.dictionary_penalty),
           "it cannot take a penalty on W");
  }
  const double no_outliers = std::numeric_limits<double>::infinity();
  if (!scope.outliers && settings.lambda && *settings.lambda != Lambda(LambdaValue{no_outliers}))
    refuse("lambda", text::write(*settings.lambda), "it has no outlier term (lambda = inf)");
  if (!scope.missing && settings.missing)
    refuse("missing", "true", "its codes need every entry of a sample");
}

template <Choice Penalty>
void check_groups(std::string_view groups_field, const Groups& groups, std::optional<Index> size,
                  std::string_view penalty_field, const Penalty& penalty,
                  std::vector<std::string>& found) {
  if (groups.empty()) return;
  const auto uses_groups = [](const auto& option) { return option.uses_groups; };
  if (!std::visit(uses_groups, penalty)) {
    found.push_back(fmt::format(
        "{} is given, but {} = {} does not use groups; choose one that does ({}) or leave {} out",
        groups_field, penalty_field, name_of(penalty), names_where<Penalty>(uses_groups),
        groups_field));
  }
  for (std::string& fault : partition_faults(groups_field, groups, size)) {
    found.push_back(std::move(fault));
  }
}

}  // namespace

std::vector<std::string> Settings::violations(std::optional<Index> F) const {
  std::vector<std::string> found;
  fields(*this, RangeCheck(found));
  check_scope(*this, found);
  check_scale(*this, found);
  // An impossible rank is a violation of its own and says nothing about the groups.
  const std::optional<Index> K = rank >= 1 ? std::optional(rank) : std::nullopt;
  check_groups("code_groups", code_groups, K, "code_penalty", code_penalty, found);
  check_groups("outlier_groups", outlier_groups, F, "outlier_penalty", outlier_penalty, found);
  return found;
}

void Settings::validate(std::optional<Index> F) const {
  const std::vector<std::string> found = violations(F);
  if (!found.empty()) throw SettingsError(fmt::format("{}", fmt::join(found, "\n")));
}

}  // namespace tamis
