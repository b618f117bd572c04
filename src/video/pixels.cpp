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
constexpr float white = 255;
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

// Bytes may lie anywhere as far as the compiler knows, so it is told that these arrays do not
// overlap; and it mixes bytes and numbers in one loop only with much ado, so there are several.
TAMIS_CLONES
void judge(Index count, const float* __restrict b, const std::uint8_t* __restrict v,
           const std::uint8_t* __restrict was_foreground, const Rule& rule, const State& state,
           std::uint8_t* __restrict background, std::uint8_t* __restrict evidence) {
  const Rule r = rule;
  float* __restrict const residual = state.residual;
  float* __restrict const change = state.change;
  float* __restrict const slow = state.slow;
  std::uint8_t* __restrict const still = state.still;
  std::array<float, chunk> value, pace, ratio, moves;
  const float slower = r.noise_step * foreground_pace;
  for (Index i = 0; i < count; ++i) value[std::size_t(i)] = float(v[i]);
  for (Index i = 0; i < count; ++i)
    pace[std::size_t(i)] = was_foreground[i] != 0 ? slower : r.noise_step;
  for (Index i = 0; i < count; ++i) {
    const auto n = std::size_t(i);
    const float e = value[n] - b[i];
    const float changed = std::abs(e - residual[i]);
    residual[i] = e;
    const float before = change[i];
    const float threshold = r.threshold + r.noise_factor * standard_deviations * before;
    const float high = std::abs(e) / threshold * evidence_unit;
    ratio[n] = high < most_evidence ? high : most_evidence;
    const float after = before + (changed > before ? pace[n] : -pace[n]);
    change[i] = after > least_change ? after : least_change;
    slow[i] += (value[n] - slow[i]) * slow_pace;
    moves[n] = std::abs(value[n] - slow[i]) - (r.still_within + 2 * change[i]);
  }
  for (Index i = 0; i < count; ++i) evidence[i] = std::uint8_t(int(ratio[std::size_t(i)]));
  for (Index i = 0; i < count; ++i) {
    const float rounded = b[i] + 0.5f;
    const float low = rounded > 0 ? rounded : 0;
    background[i] = std::uint8_t(int(low < white ? low : white));
  }
  for (Index i = 0; i < count; ++i) {
    const int older = still[i] < 255 ? still[i] + 1 : 255;
    still[i] = std::uint8_t(was_foreground[i] != 0 && moves[std::size_t(i)] < 0 ? older : 0);
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
void clean(Index begin, Index end, const std::uint8_t* __restrict v,
           const float* __restrict residual, const std::uint8_t* __restrict foreground, float most,
           float most_foreground, float* __restrict y) {
  for (Index i = begin; i < end; ++i) {
    const float e = residual[i];
    const float bound = foreground[i] != 0 ? most_foreground : most;
    const float above = e > -bound ? e : -bound;
    const float value = (float(v[i]) - e + (above < bound ? above : bound)) / white;
    y[i] = value > 0 ? value : 0;
  }
}

namespace {

TAMIS_CLONES
void difference(Index count, const float* __restrict b, const std::uint8_t* __restrict v,
                const float* __restrict residual, std::int8_t* __restrict jump) {
  constexpr float most = 127;
  for (Index i = 0; i < count; ++i) {
    const float d = (float(v[i]) - residual[i] - b[i]) * jump_unit;
    const int rounded = int(d + (d > 0 ? 0.5f : -0.5f));
    jump[i] = std::int8_t(std::abs(d) < most ? rounded : 0);
  }
}

}  // namespace

void jump(Index begin, Index end, const float* W, Index stride, const float* codes, Index K,
          const std::uint8_t* v, const float* residual, std::int8_t* jump) {
  std::array<float, chunk> b;
  for (Index i = begin; i < end; i += chunk) {
    const Index count = std::min(chunk, end - i);
    predict(count, W + i, stride, codes, K, b.data());
    difference(count, b.data(), v + i, residual + i, jump + i);
  }
}

TAMIS_CLONES
void soften(Index begin, Index end, const std::uint8_t* __restrict v,
            const float* __restrict residual, const std::int8_t* __restrict jump, float share,
            std::uint8_t* __restrict shown) {
  const float factor = share / jump_unit;
  for (Index i = begin; i < end; ++i) {
    const float value = float(v[i]) - residual[i] + factor * float(jump[i]) + 0.5f;
    const float low = value > 0 ? value : 0;
    shown[i] = std::uint8_t(int(low < white ? low : white));
  }
}

TAMIS_CLONES
void largest_of_three(Index begin, Index end, const std::uint8_t* __restrict entries,
                      std::uint8_t* __restrict pixels) {
  for (Index i = begin; i < end; ++i)
    pixels[i] = std::max({entries[3 * i], entries[3 * i + 1], entries[3 * i + 2]});
}

TAMIS_CLONES
void three_times(Index begin, Index end, const std::uint8_t* __restrict pixels,
                 std::uint8_t* __restrict entries) {
  for (Index i = begin; i < end; ++i)
    entries[3 * i] = entries[3 * i + 1] = entries[3 * i + 2] = pixels[i];
}

}  // namespace tamis::pixels
