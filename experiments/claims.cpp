#include "experiments/claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "experiments/json_number.hpp"

namespace tamis::experiments {

void Claim::check(const std::string& what, double value, bool holds) {
  if (std::isnan(value)) {
    leave_out("what they need was not there");
  } else {
    checks_.push_back({what, value, holds});
  }
}

void Claim::note(const std::string& what, double value) {
  if (!std::isnan(value)) notes_.emplace_back(what, value);
}

Index Claim::held() const { return std::ranges::count_if(checks_, &Check::holds); }

std::string Claim::verdict() const {
  if (checks_.empty()) return "not tested";
  if (held() == std::ssize(checks_)) return "confirmed";
  return held() == 0 ? "not confirmed" : "partly confirmed";
}

std::string Claim::measured() const {
  std::string left_out;
  for (const auto& [why, count] : left_out_)
    left_out += fmt::format("; {} could not be made: {}", count, why);
  if (checks_.empty())
    return "not tested: data or algorithms that it needs were not there" + left_out;
  constexpr std::size_t most_shown = 8;
  std::vector<std::string> shown;
  // Exceptions first: they are what one wants to know.
  for (const bool holds : {false, true})
    for (const Check& check : checks_)
      if (check.holds == holds)
        shown.push_back(fmt::format("{} {:.3g}{}", check.what, check.value, holds ? "" : " (no)"));
  const bool cut = shown.size() > most_shown;
  if (cut) shown.resize(most_shown);
  return fmt::format("{} of {} comparisons hold ({}): {}{}{}", held(), checks_.size(), rule_,
                     fmt::join(shown, "; "), cut ? "; …" : "", left_out);
}

Json Claim::to_json() const {
  Json numbers = Json::object();
  for (const Check& check : checks_) numbers[check.what] = number_or_null(check.value);
  for (const auto& [what, value] : notes_) numbers[what] = number_or_null(value);
  return {{"id", id_},
          {"claim", claim_},
          {"published", published_},
          {"measured", measured()},
          {"verdict", verdict()},
          {"held", held()},
          {"compared", checks_.size()},
          {"numbers", numbers}};
}

}  // namespace tamis::experiments
