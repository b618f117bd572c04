// Background and foreground of whole videos, against scenes whose truth is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/street_video.hpp"
#include "tamis/error.hpp"

namespace {

using namespace tamis;
using namespace tamis::test;

TEST(Separation, FindsWhatMovesInTheStreet) {
  const Separated result = separate(street_frames());
  ASSERT_EQ(result.masks.size(), 300u);
  const Street street;
  EXPECT_GE(f_measure(street, result.masks), 0.9);
  // The background of a late frame, nowhere touched by who is in front of it
  const auto truth = street.frame<float>(299).background;
  double error = 0;
  for (Index p = 0; p < street.pixels(); ++p)
    error +=
        std::abs(double(result.backgrounds[299].data[std::size_t(p)]) - 255 * double(truth[p]));
  EXPECT_LE(error / double(street.pixels()), 3);
}

TEST(Separation, InColourToo) {
  const Separated result = separate(street_frames({}, 3));
  EXPECT_GE(f_measure(Street(), result.masks), 0.9);
  EXPECT_EQ(result.backgrounds[0].shape, (FrameShape{120, 160, 3}));
  EXPECT_EQ(result.masks[0].shape, (FrameShape{120, 160, 1}));
}

TEST(Separation, AllFramesComeOutAsTheyWere) {
  const std::vector<Frame> frames = street_frames({.frames = 60});
  EXPECT_EQ(separate(frames).frames, frames);
}

TEST(Separation, DoesNotLookAhead) {
  std::vector<Frame> frames = street_frames({.frames = 100});
  const Separated whole = separate(frames);
  for (std::size_t i = 70; i < 100; ++i) std::ranges::reverse(frames[i].data);
  const Separated other = separate(frames);
  for (std::size_t i = 0; i < 70; ++i) {
    ASSERT_EQ(whole.masks[i], other.masks[i]) << i;
    ASSERT_EQ(whole.backgrounds[i], other.backgrounds[i]) << i;
  }
}

TEST(Separation, ComesOutAtOnceAfterTheWarmUp) {
  SceneSettings settings;
  settings.warmup = 10;
  Separation separation(settings);
  Index emitted = 0;
  const Street street;
  for (Index i = 0; i < 20; ++i) {
    separation.push(street_frame(street, i), [&](const SeparatedFrame&) { ++emitted; });
    EXPECT_EQ(emitted, i < 9 ? 0 : i + 1);
  }
}

TEST(Separation, SameBitsForAnyNumberOfThreads) {
  const std::vector<Frame> frames = street_frames({.height = 240, .width = 321, .frames = 64});
  SceneSettings one, many;
  one.threads = 1;
  many.threads = 4;
  const Separated a = separate(frames, one), b = separate(frames, many);
  EXPECT_EQ(a.masks, b.masks);
  EXPECT_EQ(a.backgrounds, b.backgrounds);
}

TEST(Separation, BeginsAnewAfterACut) {
  std::vector<Frame> frames = street_frames({.frames = 80});
  // Another view: upside down, and bright where it was dark
  std::vector<Frame> after = street_frames({.frames = 80, .seed = 3});
  for (Frame& frame : after) {
    std::ranges::reverse(frame.data);
    for (auto& v : frame.data) v = std::uint8_t(255 - v);
  }
  frames.insert(frames.end(), after.begin(), after.end());
  Restarts restarts;
  const Separated result = separate(frames, {}, &restarts);
  ASSERT_EQ(restarts.seen.size(), 1u);
  EXPECT_EQ(restarts.seen[0], (std::pair<Index, Restart>{80, Restart::cut}));
  ASSERT_EQ(result.masks.size(), 160u);
  const auto covered = [&](std::size_t i) {
    return double(std::ranges::count(result.masks[i].data, 255)) / (120. * 160);
  };
  for (std::size_t i = 80; i < 160; ++i) EXPECT_LT(covered(i), 0.3) << i;
}

TEST(Separation, ACutInTheWarmUp) {
  std::vector<Frame> frames(20, texture({40, 50, 1}, 7));
  frames.resize(60, texture({40, 50, 1}, 11));
  Restarts restarts;
  const Separated result = separate(frames, {}, &restarts);
  ASSERT_EQ(result.masks.size(), 60u);
  ASSERT_EQ(restarts.seen.size(), 1u);
  EXPECT_EQ(restarts.seen[0].first, 20);
  EXPECT_EQ(std::ranges::count(result.masks[30].data, 255), 0);
  EXPECT_NEAR(result.backgrounds[30].data[7], frames[30].data[7], 1);
  EXPECT_NEAR(result.backgrounds[10].data[7], frames[10].data[7], 1);
}

TEST(Separation, FramesOfAnotherSize) {
  std::vector<Frame> frames = street_frames({.frames = 60});
  for (Frame& frame : street_frames({.height = 61, .width = 47, .frames = 20}))
    frames.push_back(frame);
  Restarts restarts;
  const Separated result = separate(frames, {}, &restarts);
  ASSERT_EQ(result.masks.size(), 80u);
  EXPECT_EQ(restarts.seen, (std::vector<std::pair<Index, Restart>>{{60, Restart::size}}));
  EXPECT_EQ(result.masks[59].shape, (FrameShape{120, 160, 1}));
  EXPECT_EQ(result.masks[60].shape, (FrameShape{61, 47, 1}));
}

TEST(Separation, FewFramesAndOddSizes) {
  EXPECT_TRUE(separate({}).masks.empty());
  for (const FrameShape& shape : {FrameShape{1, 1, 1}, {1, 7, 1}, {7, 1, 3}, {3, 2, 1}}) {
    const Separated one = separate({Frame(shape, 90)});
    ASSERT_EQ(one.masks.size(), 1u);
    EXPECT_EQ(std::ranges::count(one.masks[0].data, 0), shape.pixels());
    EXPECT_EQ(separate(std::vector<Frame>(60, Frame(shape, 0))).masks.size(), 60u);
  }
}

TEST(Separation, SuddenLightIsNotForeground) {
  std::vector<Frame> frames = street_frames({.frames = 120, .objects = 0, .lighting = 0});
  for (std::size_t i = 80; i < frames.size(); ++i)
    for (auto& v : frames[i].data) v = std::uint8_t(std::min(255., 1.5 * v));
  const Separated result = separate(frames);
  for (std::size_t i = 80; i < 120; ++i)
    EXPECT_LT(std::ranges::count(result.masks[i].data, 255), 200) << i;
}

TEST(Separation, OutlierRule) {
  SceneSettings settings;
  settings.mask_rule = MaskRule::outlier;
  settings.lambda = LambdaValue{40. / 255};
  std::vector<Frame> frames(50, Frame({20, 20, 1}, 100));
  frames[49].data[45] = 150;  // |e| = 50 > 40
  frames[49].data[46] = 130;
  const Separated result = separate(frames, settings);
  EXPECT_EQ(std::ranges::count(result.masks[49].data, 255), 1);
  EXPECT_EQ(result.masks[49].data[45], 255);
}

// Who stands there in all of the first frames and then leaves is in the background, but not for
// long; who comes and stands still is not absorbed.
// How much the backgrounds of frames in turn differ: where a mini-batch was learned, and elsewhere.
TEST(Separation, LearningIsNotSeen) {
  const SceneSettings settings;
  const Separated result = separate(street_frames({.frames = 160, .lighting = 0}), settings);
  double borders = 0, others = 0;
  Index border_count = 0, other_count = 0;
  for (auto t = std::size_t(settings.warmup); t < result.backgrounds.size(); ++t) {
    const auto& before = result.backgrounds[t - 1].data;
    const auto& after = result.backgrounds[t].data;
    double change = 0;
    for (std::size_t i = 0; i < after.size(); ++i) change += std::abs(after[i] - before[i]);
    const bool border = Index(t) % settings.batch_size == 0;
    (border ? borders : others) += change / double(after.size());
    ++(border ? border_count : other_count);
  }
  EXPECT_LE(borders / double(border_count), 2 * others / double(other_count));
}

TEST(Separation, GhostsGoAndStandersStay) {
  const auto scene = [](bool left, bool right) {
    Frame frame({60, 80, 1});
    for (Index y = 0; y < 60; ++y)
      for (Index x = 0; x < 80; ++x) {
        const bool first = left && y > 20 && y < 45 && x > 10 && x < 22;
        const bool second = right && y > 20 && y < 45 && x > 50 && x < 62;
        frame.data[std::size_t(y * 80 + x)] =
            std::uint8_t(first || second ? 210 : 90 + (x * 7 + y * 3) % 5);
      }
    return frame;
  };
  std::vector<Frame> frames(60, scene(true, false));
  frames.resize(180, scene(false, true));
  const Separated result = separate(frames);
  const auto covered = [&](std::size_t i, std::size_t pixel) {
    return result.masks[i].data[pixel] == 255;
  };
  const std::size_t ghost = 30 * 80 + 16, stander = 30 * 80 + 56;
  EXPECT_FALSE(covered(59, ghost));
  EXPECT_TRUE(covered(62, ghost));
  EXPECT_FALSE(covered(100, ghost));
  EXPECT_TRUE(covered(62, stander));
  EXPECT_TRUE(covered(179, stander));
}

TEST(SceneSettings, EveryBrokenRuleIsNamed) {
  SceneSettings settings;
  settings.rank = 0;
  settings.warmup = 0;
  settings.forget = ForgetDecay{2};
  try {
    Separation separation(settings);
    FAIL();
  } catch (const SettingsError& error) {
    EXPECT_NE(std::string(error.what()).find("rank = 0"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("warmup = 0"), std::string::npos);
  }
  EXPECT_THROW(Separation().push(Frame(), [](const SeparatedFrame&) {}), DataError);
}

TEST(Separation, ForegroundIsTheFrameUnderTheMask) {
  Frame frame({1, 2, 3}), mask({1, 2, 1});
  frame.data = {1, 2, 3, 4, 5, 6};
  mask.data = {0, 255};
  EXPECT_EQ(foreground(frame, mask).data, (std::vector<std::uint8_t>{0, 0, 0, 4, 5, 6}));
}

}  // namespace
