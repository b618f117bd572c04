#include "video/shadow.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {

bool ShadowTest::keeps_texture(Index row, Index column) const {
  constexpr Index reach = 2;
  constexpr double clear = 2;  // variance of a texture, in units of the noise's
  const FrameShape& shape = frame_.shape;
  const Index channel = shape.channels == 3 ? 1 : 0;  // green is most of the brightness
  int n = 0, sv = 0, sb = 0, svv = 0, sbb = 0, svb = 0;
  for (Index y = row - reach * step_; y <= row + reach * step_; y += step_) {
    if (y < 0 || y >= shape.height) continue;
    for (Index x = column - reach * step_; x <= column + reach * step_; x += step_) {
      if (x < 0 || x >= shape.width) continue;
      const auto i = std::size_t((y * shape.width + x) * shape.channels + channel);
      const int v = frame_.data[i], b = background_.data[i];
      ++n;
      sv += v;
      sb += b;
      svv += v * v;
      sbb += b * b;
      svb += v * b;
    }
  }
  const double gain = double(sv) / std::max(double(sb), double(n));
  if (!(gain > settings_.shadow_depth && gain < settings_.shadow_light)) return false;
  // n² times the variances and the covariance
  const double vv = double(n) * svv - double(sv) * sv, bb = double(n) * sbb - double(sb) * sb,
               vb = double(n) * svb - double(sv) * sb;
  const double noise =
      double(n) * double(change_[(row * shape.width + column) * shape.channels + channel]);
  return vb > 0 && bb * gain * gain > clear * noise * noise &&
         vb * vb > settings_.shadow_match * settings_.shadow_match * vv * bb;
}

bool ShadowTest::keeps_colour(Index pixel) const {
  const std::uint8_t* const v = frame_.data.data() + 3 * pixel;
  const std::uint8_t* const b = background_.data.data() + 3 * pixel;
  const int vb = v[0] * b[0] + v[1] * b[1] + v[2] * b[2];
  const int bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
  if (bb == 0) return false;
  const double gain = double(vb) / bb;
  if (!(gain > settings_.shadow_depth && gain < 1)) return false;
  double most = 0;
  for (int c = 0; c < 3; ++c) most = std::max(most, std::abs(v[c] - gain * b[c]));
  return most < settings_.shadow_color;
}

}  // namespace tamis
