#include "settings/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace tamis {
namespace {

// Indices with the same fault. There may be millions, so only the first few are kept by name.
class Faulty {
 public:
  void add(Index first, Index count = 1) {
    total_ += count;
    for (Index i = 0; i < count && shown_.size() < most_shown; ++i) shown_.push_back(first + i);
  }

  // `rule` completes the sentence "index 3 is …".
  void report(std::string_view field, std::string_view rule,
              std::vector<std::string>& faults) const {
    if (total_ == 0) return;
    const Index hidden = total_ - Index(shown_.size());
    faults.push_back(fmt::format(
        "{}: {} {}{} {} {}", field, total_ == 1 ? "index" : "indices", fmt::join(shown_, ", "),
        hidden > 0 ? fmt::format(" and {} more", hidden) : "", total_ == 1 ? "is" : "are", rule));
  }

 private:
  static constexpr std::size_t most_shown = 5;
  std::vector<Index> shown_;
  Index total_ = 0;
};

}  // namespace

std::vector<std::string> partition_faults(std::string_view field, const Groups& groups,
                                          std::optional<Index> size) {
  std::vector<std::string> faults;
  if (groups.empty()) return faults;

  std::vector<Index> sorted;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].empty()) {
      faults.push_back(fmt::format("{}: group {} is empty, leave it out", field, g));
    }
    sorted.insert(sorted.end(), groups[g].begin(), groups[g].end());
  }
  std::sort(sorted.begin(), sorted.end());

  Faulty outside, repeated, missing;
  Index expected = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Index index = sorted[i];
    const bool again = i > 0 && sorted[i - 1] == index;
    if (again) {
      if (i < 2 || sorted[i - 2] != index) repeated.add(index);
    } else if (index < 0 || (size && index >= *size)) {
      outside.add(index);
    } else if (size) {
      if (index > expected) missing.add(expected, index - expected);
      expected = index + 1;
    }
  }
  if (size && expected < *size) missing.add(expected, *size - expected);

  const std::string last = size ? fmt::format("{}", *size - 1) : "";
  outside.report(
      field, size ? "out of range, must be between 0 and " + last : "negative, must be at least 0",
      faults);
  repeated.report(field, "repeated, must be in exactly one group", faults);
  missing.report(field, "missing, every index from 0 to " + last + " must be in a group", faults);
  return faults;
}

}  // namespace tamis
