// Cameras: answers at once, and frames that shake.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/street_video.hpp"

namespace {

using namespace tamis;
using namespace tamis::test;

// A window of a larger street that jumps by up to three pixels from frame to frame
struct Shaking {
  std::vector<Frame> frames, truth;

  Shaking() {
    constexpr Index height = 120, width = 160, margin = 4;
    const Street street(
        {.height = height + 2 * margin, .width = width + 2 * margin, .noise = 0.005});
    for (Index i = 0; i < 300; ++i) {
      const auto whole = street.frame<float>(i);
      const Index dy = i * 37 % 7 - 3, dx = i * i * 11 % 7 - 3;
      frames.emplace_back(FrameShape{height, width, 1});
      truth.emplace_back(FrameShape{height, width, 1});
      for (Index y = 0; y < height; ++y)
        for (Index x = 0; x < width; ++x) {
          const Index from = (y + margin + dy) * (width + 2 * margin) + x + margin + dx;
          const auto to = std::size_t(y * width + x);
          frames.back().data[to] = std::uint8_t(std::lround(255 * whole.V[from]));
          truth.back().data[to] = whole.mask[from] > 0 ? 255 : 0;
        }
    }
  }
};

double f_against(const std::vector<Frame>& truth, const std::vector<Frame>& masks) {
  double hits = 0, either = 0;
  for (std::size_t i = 0; i < masks.size(); ++i)
    for (std::size_t p = 0; p < masks[i].data.size(); ++p) {
      hits += masks[i].data[p] == 255 && truth[i].data[p] == 255;
      either += (masks[i].data[p] == 255) + (truth[i].data[p] == 255);
    }
  return 2 * hits / either;
}

TEST(Separation, HoldsAShakingCamera) {
  const Shaking scene;
  // Where nothing moves the background is the frame.
  const auto error = [&](const Separated& result) {
    double sum = 0, count = 0;
    for (std::size_t i = 240; i < 300; i += 7)
      for (std::size_t p = 0; p < scene.frames[i].data.size(); ++p) {
        if (scene.truth[i].data[p] != 0) continue;
        sum += std::abs(int(scene.frames[i].data[p]) - int(result.backgrounds[i].data[p]));
        ++count;
      }
    return sum / count;
  };
  const Separated held = separate(scene.frames);
  SceneSettings settings;
  settings.steady = false;
  const Separated shaking = separate(scene.frames, settings);
  EXPECT_GE(f_against(scene.truth, held.masks), 0.9);
  EXPECT_GT(f_against(scene.truth, held.masks), f_against(scene.truth, shaking.masks));
  EXPECT_LT(error(held), 0.8 * error(shaking));
}

TEST(BackgroundModel, AnswersAtOnce) {
  BackgroundModel model;
  const Street street;
  std::vector<Frame> masks;
  for (Index i = 0; i < 300; ++i) masks.push_back(model.apply(street_frame(street, i)));
  EXPECT_EQ(masks[0].shape, (FrameShape{120, 160, 1}));
  EXPECT_EQ(std::ranges::count(masks[0].data, 255), 0);
  EXPECT_EQ(model.background().shape, (FrameShape{120, 160, 1}));
  EXPECT_GE(f_measure(street, masks), 0.8);
}

TEST(BackgroundModel, RestartsAreTold) {
  Restarts restarts;
  BackgroundModel model({}, &restarts);
  for (int i = 0; i < 60; ++i) model.apply(texture({30, 40, 1}, 7));
  model.apply(texture({30, 40, 1}, 11));
  model.apply(texture({20, 40, 1}, 11));
  EXPECT_EQ(restarts.seen,
            (std::vector<std::pair<Index, Restart>>{{60, Restart::cut}, {61, Restart::size}}));
}

}  // namespace
