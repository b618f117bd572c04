// Data and settings at the edge of what makes sense, on which every algorithm has to stay sane.
#pragma once

#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "support/kit.hpp"

namespace tamis::test {

struct HardInput {
  std::string name;
  Matrix<double> V;
  std::function<void(Settings&)> adjust = [](Settings&) {};
  Index rank = 3;

  bool has_missing() const { return V.hasNaN(); }
};
inline void PrintTo(const HardInput& input, std::ostream* out) { *out << input.name; }
inline std::string name_of_input(const ::testing::TestParamInfo<HardInput>& info) {
  return info.param.name;
}

std::vector<HardInput> hard_inputs();

// Whether this algorithm takes this input at all: some have no outliers, or no missing entries.
bool takes(const Algorithm& algorithm, const HardInput& input);

// Plain settings for it
Settings settings_for(const Algorithm& algorithm, const HardInput& input,
                      const Normalize& normalize);

// Whether the samples, scaled as the settings say, have squares that T can hold. Others have to be
// refused, aloud.
template <class T>
bool fits(const HardInput& input, const Settings& settings) {
  if (std::holds_alternative<NormalizeMax>(settings.normalize.value())) return true;
  using Limits = std::numeric_limits<T>;
  const Matrix<double> stored = input.V.cast<T>().template cast<double>();
  const Matrix<double> V = stored.array().isNaN().select(0.0, stored);
  const double largest = V.maxCoeff();
  const double most = std::sqrt(double(Limits::max())) / double(V.rows());
  const double least = std::sqrt(double(Limits::min()) / double(Limits::epsilon()));
  return largest == 0 || (largest < most && largest > least);
}

}  // namespace tamis::test
