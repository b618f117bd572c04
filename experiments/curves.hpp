// How a fit went, and numbers that describe it.
#pragma once

#include <string>
#include <vector>

#include "common.hpp"
#include "tamis/types.hpp"

namespace tamis::experiments {

struct Curve {
  std::vector<Index> samples;
  std::vector<double> seconds;
  std::vector<double> value;

  bool empty() const { return value.empty(); }
  void add(Index at_samples, double at_seconds, double now);
};

Json to_json(const Curve& curve);
Curve curve_from(const Json& json);

// The point from which on the curve differs from its last value by at most this share of that value
// and of its whole range: of a curve that has little to fall the range is what counts. −1 if it is
// empty.
Index settled_at(const Curve& curve, double share = 0.1);
// Seconds until the curve is at most `level`; NaN if it never is.
double seconds_to_reach(const Curve& curve, double level);

// Whether it ends at least this share of its first value below it. Of a curve that does not, the
// times at which it gets anywhere mean nothing. An empty one does not fall.
bool falls(const Curve& curve, double share = 0.1);
inline const std::string no_fall = "an objective that does not fall by a tenth cannot be timed";
// The largest rise above what was reached before, relative to the last value; the first tenth of
// the samples is not looked at. NaN if it is empty.
double largest_rise(const Curve& curve);

// How unsteadily it falls, on logarithmic axes: the total change of its slope relative to its fall,
// at 64 points. 0 is a straight line; plateaus with steps between them, or rises, make it large.
double roughness(const Curve& curve);

// settled_seconds, settled_samples, roughness
Json curve_measures(const Curve& curve);

}  // namespace tamis::experiments
