#include "video/pixels.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/clones.hpp"

namespace tamis::pixels {
namespace {

constexpr Index chunk = 256;             // entries whose background is in the cache
constexpr float foreground_pace = 0.1f;  // of the noise where something stands in front of it
constexpr float least_change = 0.1f;
constexpr float slow_pace = 0.125f;
constexpr float standard_deviations = 1.0484f;  // per median |difference|: 1.4826/√2

TAMIS_CLONES
void predict(Index count, const float* W, Index stride, const float* codes, Index K, float* b) {
  for (Index i = 0; i < count; ++i) b[i] = W[i] * codes[0];
  for (Index k = 1; k < K; ++k) {
    const float h = codes[k];
    const float* const w = W + k * stride;
    for (Index i = 0; i < count; ++i) b[i] += w[i] * h;
  }
}

TAMIS_CLONES
void judge(Index count, const float* b, const std::uint8_t* v, const std::uint8_t* was_foreground,
           const Rule& rule, const State& state, std::uint8_t* background, std::uint8_t* evidence) {
  const Rule r = rule;
  const State s = state;
  for (Index i = 0; i < count; ++i) {
    const float value = float(v[i]);
    const float e = value - b[i];
    background[i] = std::uint8_t(std::clamp(b[i] + 0.5f, 0.f, 255.f));
    const float changed = std::abs(e - s.residual[i]);
    s.residual[i] = e;
    const bool covered = was_foreground[i] != 0;
    const float step = covered ? r.noise_step * foreground_pace : r.noise_step;
    const float before = s.change[i];
    const float threshold = r.threshold + r.noise_factor * standard_deviations * before;
    evidence[i] = std::uint8_t(std::min(std::abs(e) / threshold * evidence_unit, most_evidence));
    const float change = std::max(before + (changed > before ? step : -step), least_change);
    s.change[i] = change;
    const float slow = s.slow[i] + (value - s.slow[i]) * slow_pace;
    s.slow[i] = slow;
    const bool still = covered && std::abs(value - slow) < r.still_within + 2 * change;
    const int age = s.still[i] + 1;
    s.still[i] = std::uint8_t(still ? std::min(age, 255) : 0);
  }
}

}  // namespace

void examine(Index begin, Index end, const float* W, Index stride, const float* codes, Index K,
             const std::uint8_t* v, const std::uint8_t* was_foreground, const Rule& rule,
             const State& state, std::uint8_t* background, std::uint8_t* evidence) {
  std::array<float, chunk> b;
  for (Index i = begin; i < end; i += chunk) {
    const Index count = std::min(chunk, end - i);
    predict(count, W + i, stride, codes, K, b.data());
    judge(count, b.data(), v + i, was_foreground + i, rule,
          {state.residual + i, state.change + i, state.slow + i, state.still + i}, background + i,
          evidence + i);
  }
}

TAMIS_CLONES
void clean(Index begin, Index end, const std::uint8_t* v, const float* residual,
           const std::uint8_t* foreground, float most, float most_foreground, float* y) {
  constexpr float white = 255;
  for (Index i = begin; i < end; ++i) {
    const float e = residual[i];
    const float bound = foreground[i] != 0 ? most_foreground : most;
    const float kept = std::min(std::max(e, -bound), bound);
    y[i] = std::max((float(v[i]) - e + kept) / white, 0.f);
  }
}

TAMIS_CLONES
void largest_of_three(Index begin, Index end, const std::uint8_t* entries, std::uint8_t* pixels) {
  for (Index i = begin; i < end; ++i)
    pixels[i] = std::max({entries[3 * i], entries[3 * i + 1], entries[3 * i + 2]});
}

TAMIS_CLONES
void three_times(Index begin, Index end, const std::uint8_t* pixels, std::uint8_t* entries) {
  for (Index i = begin; i < end; ++i)
    entries[3 * i] = entries[3 * i + 1] = entries[3 * i + 2] = pixels[i];
}

}  // namespace tamis::pixels
