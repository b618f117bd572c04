#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

constexpr std::size_t trace_tail = 20;

Json trace_json(const Trace& trace) {
  Json points = Json::array();
  const auto& all = trace.points();
  for (std::size_t i = all.size() - std::min(all.size(), trace_tail); i < all.size(); ++i) {
    points.push_back({{"samples", all[i].samples},
                      {"objective", number(all[i].objective)},
                      {"change", number(all[i].change)},
                      {"lambda", number(all[i].lambda)},
                      {"seconds", all[i].seconds}});
  }
  return points;
}

double total(const Seconds& s) { return s.read + s.encode + s.reduce + s.update + s.write; }

}  // namespace

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(fmt::to_string(value));
}

template <class T>
std::string summary(const FitResult<T>& result) {
  const double seconds = total(result.info.seconds);
  std::string text =
      fmt::format("{}: {} atoms of {} features, objective {:.4g}, {:.2f} s, {}/s", result.message,
                  result.model.rank(), result.model.features(), result.info.objective, seconds,
                  with_commas(std::llround(double(result.info.samples) / std::max(seconds, 1e-9))));
  if (result.model.sigma > 0)
    text += fmt::format(", noise {:.3g}, outliers beyond {:.3g}", result.model.sigma,
                        result.model.lambda);
  return text;
}

template <class T>
Json to_json(const FitResult<T>& result) {
  const Info& info = result.info;
  const Seconds& s = info.seconds;
  return {{"status", name_of(result.status)},
          {"message", result.message},
          {"settings", Json::parse(result.model.settings.to_json())},
          {"samples", info.samples},
          {"batches", info.batches},
          {"epochs", info.epochs},
          {"reseeded", info.reseeded},
          {"unconverged_batches", info.unconverged_batches},
          {"regularized_batches", info.regularized_batches},
          {"features", result.model.features()},
          {"rank", result.model.rank()},
          {"objective", number(info.objective)},
          {"lambda", number(result.model.lambda)},
          {"sigma", number(result.model.sigma)},
          {"seconds",
           {{"read", s.read},
            {"encode", s.encode},
            {"reduce", s.reduce},
            {"update", s.update},
            {"write", s.write},
            {"total", total(s)}}},
          {"trace", trace_json(info.trace)}};
}

template std::string summary(const FitResult<float>&);
template std::string summary(const FitResult<double>&);
template Json to_json(const FitResult<float>&);
template Json to_json(const FitResult<double>&);

}  // namespace tamis
