// The hot loops over the pixels of a frame. Entries are gray values, or the three colours of each
// pixel; all numbers are in gray levels.
#pragma once

#include <cstdint>

#include "tamis/types.hpp"

namespace tamis::pixels {

inline constexpr float evidence_unit = 100;  // a byte of 100 is evidence 1: just at the threshold
inline constexpr float most_evidence = 200;

// What is known about each entry, from frame to frame
struct State {
  float* residual;      // e = v − Wh of the latest frame
  float* change;        // running median of |e − e of the frame before|
  float* slow;          // running mean of v
  std::uint8_t* still;  // for how many frames it has been foreground, and not moving
};

struct Rule {
  float threshold;
  float noise_factor;  // of the running median of changes
  float noise_step;    // by which that moves
  float still_within;  // gray levels around the running mean that count as still
};

// Entries [begin, end): background and evidence from W (columns `stride` apart) and the codes;
// moves the state. `was_foreground` is the mask of the frame before, for entries.
void examine(Index begin, Index end, const float* W, Index stride, const float* codes, Index K,
             const std::uint8_t* v, const std::uint8_t* was_foreground, const Rule& rule,
             const State& state, std::uint8_t* background, std::uint8_t* evidence);

// v − r in units of 1/255: the residual clipped to ±most, or where the mask is to ±most_foreground
void clean(Index begin, Index end, const std::uint8_t* v, const float* residual,
           const std::uint8_t* foreground, float most, float most_foreground, float* y);

// What learning has changed of a picture: from v − e to W·codes now, in units of 1/jump_unit. Where
// that is more than a byte holds something was put right, which is shown at once: 0.
inline constexpr float jump_unit = 8;
void jump(Index begin, Index end, const float* W, Index stride, const float* codes, Index K,
          const std::uint8_t* v, const float* residual, std::int8_t* jump);
// The background v − e with so much of the jump still to come
void soften(Index begin, Index end, const std::uint8_t* v, const float* residual,
            const std::int8_t* jump, float share, std::uint8_t* shown);

// The largest of each pixel's three
void largest_of_three(Index begin, Index end, const std::uint8_t* entries, std::uint8_t* pixels);
// Each pixel's value three times
void three_times(Index begin, Index end, const std::uint8_t* pixels, std::uint8_t* entries);

}  // namespace tamis::pixels
