// Videos of the generated street, separated and judged.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "tamis/generate/scene.hpp"
#include "tamis/video/separation.hpp"

namespace tamis::test {

struct Separated {
  std::vector<Frame> frames, masks, backgrounds;
};

struct Restarts final : SceneObserver {
  std::vector<std::pair<Index, Restart>> seen;
  void on_restart(Index frame, Restart why) override { seen.emplace_back(frame, why); }
};

inline Frame street_frame(const Street& street, Index i, Index channels = 1) {
  const auto truth = street.frame<float>(i);
  Frame frame({street.options().height, street.options().width, channels});
  for (Index p = 0; p < street.pixels(); ++p)
    for (Index c = 0; c < channels; ++c)
      frame.data[std::size_t(p * channels + c)] =
          std::uint8_t(std::lround(truth.V[p] * (c == 2 ? 200.f : 255.f)));
  return frame;
}

// Grays in an order that another step changes
inline Frame texture(const FrameShape& shape, std::size_t step) {
  Frame frame(shape);
  for (std::size_t i = 0; i < frame.data.size(); ++i)
    frame.data[i] = std::uint8_t(20 + i * i * step % 211);
  return frame;
}

inline std::vector<Frame> street_frames(const StreetOptions& options = {}, Index channels = 1) {
  const Street street(options);
  std::vector<Frame> frames;
  for (Index i = 0; i < options.frames; ++i) frames.push_back(street_frame(street, i, channels));
  return frames;
}

inline Separated separate(const std::vector<Frame>& frames, const SceneSettings& settings = {},
                          SceneObserver* observer = nullptr) {
  Separated result;
  Separation separation(settings, observer);
  const auto emit = [&](const SeparatedFrame& each) {
    EXPECT_EQ(each.number, Index(result.masks.size()));
    result.frames.push_back(each.frame);
    result.masks.push_back(each.mask);
    result.backgrounds.push_back(each.background);
  };
  for (const Frame& frame : frames) separation.push(frame, emit);
  separation.finish(emit);
  return result;
}

inline double f_measure(const Street& street, const std::vector<Frame>& masks) {
  double hits = 0, wrong = 0, missed = 0;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    const auto truth = street.frame<float>(Index(i)).mask;
    for (Index p = 0; p < street.pixels(); ++p) {
      const bool found = masks[i].data[std::size_t(p)] == 255, real = truth[p] > 0;
      hits += found && real;
      wrong += found && !real;
      missed += !found && real;
    }
  }
  return 2 * hits / (2 * hits + wrong + missed);
}

}  // namespace tamis::test
