#include "experiments/curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/json_number.hpp"

namespace tamis::experiments {
namespace {

constexpr int points_of_roughness = 64;
constexpr double transient = 0.1;  // share of the samples in which a rise is no surprise
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// Between two points linearly in log(samples) and log(value)
double log_value_at(const Curve& curve, double log_samples) {
  const auto after = std::ranges::find_if(
      curve.samples, [&](Index samples) { return std::log(double(samples)) >= log_samples; });
  if (after == curve.samples.end()) return std::log(curve.value.back());
  const auto i = std::size_t(after - curve.samples.begin());
  if (i == 0) return std::log(curve.value.front());
  const double left = std::log(double(curve.samples[i - 1]));
  const double right = std::log(double(curve.samples[i]));
  const double t = (log_samples - left) / (right - left);
  return (1 - t) * std::log(curve.value[i - 1]) + t * std::log(curve.value[i]);
}

}  // namespace

void Curve::add(Index at_samples, double at_seconds, double now) {
  samples.push_back(at_samples);
  seconds.push_back(at_seconds);
  value.push_back(now);
}

Json to_json(const Curve& curve) {
  Json values = Json::array();
  for (const double value : curve.value) values.push_back(number_or_null(value));
  return {{"samples", curve.samples}, {"seconds", curve.seconds}, {"value", values}};
}

Curve curve_from(const Json& json) {
  Curve curve;
  for (std::size_t i = 0; i < json["value"].size(); ++i)
    curve.add(json["samples"][i], json["seconds"][i],
              json["value"][i].is_null() ? no_number : json["value"][i].get<double>());
  return curve;
}

Index settled_at(const Curve& curve, double share) {
  if (curve.empty()) return -1;
  const double last = curve.value.back();
  const auto [low, high] = std::ranges::minmax(curve.value);
  const double near = share * std::min(std::abs(last), high - low);
  auto i = Index(curve.value.size()) - 1;
  while (i > 0 && std::abs(curve.value[std::size_t(i - 1)] - last) <= near) --i;
  return i;
}

double seconds_to_reach(const Curve& curve, double level) {
  for (std::size_t i = 0; i < curve.value.size(); ++i)
    if (curve.value[i] <= level) return curve.seconds[i];
  return no_number;
}

bool falls(const Curve& curve, double share) {
  return !curve.empty() && curve.value.back() <= (1 - share) * curve.value.front();
}

double largest_rise(const Curve& curve) {
  if (curve.empty()) return no_number;
  double least = std::numeric_limits<double>::infinity(), rise = 0;
  for (std::size_t i = 0; i < curve.value.size(); ++i) {
    if (double(curve.samples[i]) < transient * double(curve.samples.back())) continue;
    least = std::min(least, curve.value[i]);
    rise = std::max(rise, curve.value[i] - least);
  }
  return rise / curve.value.back();
}

double roughness(const Curve& curve) {
  if (curve.value.size() < 3 || std::ranges::any_of(curve.value, [](double v) { return !(v > 0); }))
    return no_number;
  const double from = std::log(double(curve.samples.front()));
  const double to = std::log(double(curve.samples.back()));
  std::vector<double> y;
  y.reserve(points_of_roughness);
  for (int i = 0; i < points_of_roughness; ++i)
    y.push_back(log_value_at(curve, from + (to - from) * i / (points_of_roughness - 1)));
  double bends = 0;
  for (std::size_t i = 2; i < y.size(); ++i) bends += std::abs(y[i] - 2 * y[i - 1] + y[i - 2]);
  return bends / std::abs(y.front() - y.back());
}

Json curve_measures(const Curve& curve) {
  const Index at = settled_at(curve);
  if (at < 0) return Json::object();
  return {{"settled_seconds", curve.seconds[std::size_t(at)]},
          {"settled_samples", curve.samples[std::size_t(at)]},
          {"roughness", number_or_null(roughness(curve))}};
}

}  // namespace tamis::experiments
