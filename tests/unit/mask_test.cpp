// From evidence to a mask: regions, cleanup, shadows, each on pictures small enough to check by
// eye.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "parallel.hpp"
#include "video/ghosts.hpp"
#include "video/mask.hpp"
#include "video/pixels.hpp"
#include "video/regions.hpp"
#include "video/shadow.hpp"

namespace {

using namespace tamis;

// '#' is 255, anything else 0.
Frame picture(const std::vector<std::string>& rows) {
  Frame frame({Index(rows.size()), Index(rows.front().size()), 1});
  for (std::size_t y = 0; y < rows.size(); ++y)
    for (std::size_t x = 0; x < rows[y].size(); ++x)
      frame.data[y * rows[y].size() + x] = rows[y][x] == '#' ? 255 : 0;
  return frame;
}

std::string drawn(const Frame& frame) {
  std::string text;
  for (Index i = 0; i < frame.shape.pixels(); ++i) {
    text += frame.data[std::size_t(i)] == 255 ? '#' : '.';
    if ((i + 1) % frame.shape.width == 0) text += '\n';
  }
  return text;
}

std::vector<Index> areas(const Frame& frame, std::uint8_t value, Neighbours neighbours) {
  Regions regions;
  regions.find(frame.data.data(), frame.shape.height, frame.shape.width, value, neighbours);
  return regions.areas();
}

TEST(Regions, TouchAtCornersOrNot) {
  const Frame frame = picture({"##..#",  //
                               "#.#.#",  //
                               "...##",  //
                               "#...."});
  EXPECT_EQ(areas(frame, 255, Neighbours::eight), (std::vector<Index>{8, 1}));
  EXPECT_EQ(areas(frame, 255, Neighbours::four), (std::vector<Index>{3, 4, 1, 1}));
  EXPECT_EQ(areas(frame, 0, Neighbours::four), (std::vector<Index>{3, 8}));
}

TEST(Regions, JoinedLate) {
  const Frame frame = picture({"#.#.#",  //
                               "#.#.#",  //
                               "#####"});
  EXPECT_EQ(areas(frame, 255, Neighbours::four), (std::vector<Index>{11}));
  EXPECT_EQ(areas(frame, 0, Neighbours::eight), (std::vector<Index>{2, 2}));
}

TEST(Regions, RowsDoNotTouchAtTheirEnds) {
  const Frame frame = picture({"..#",  //
                               "#..",  //
                               "..#"});
  EXPECT_EQ(areas(frame, 255, Neighbours::eight), (std::vector<Index>{1, 1, 1}));
  EXPECT_TRUE(areas(picture({"..", ".."}), 255, Neighbours::four).empty());
}

SceneSettings small_cleanup() {
  SceneSettings settings;
  settings.closing = 3;
  settings.blob_area = 6;
  settings.hole_area = 3;
  settings.strong_area = 1;
  settings.threads = 1;
  return settings;
}

Frame cleaned(const std::vector<std::string>& mask, const std::vector<std::string>& strong,
              const SceneSettings& settings) {
  const Executor executor(1);
  MaskMaker maker(settings, executor);
  Frame frame = picture(mask), seeds = picture(strong);
  maker.start(frame.shape);
  maker.clean_up(
      frame, cv::Mat(int(seeds.shape.height), int(seeds.shape.width), CV_8U, seeds.data.data()));
  return frame;
}

TEST(MaskCleanup, GapsBlobsAndHoles) {
  // Left: a ring with a hole of two pixels and a gap. Middle: three pixels. Right: large, but
  // nowhere strong.
  const std::vector<std::string> mask{"..............####",  //
                                      ".#####........####",  //
                                      ".#...#...##...####",  //
                                      ".#...#...#........",  //
                                      ".#.###............",  //
                                      ".................."};
  std::vector<std::string> strong(6, std::string(18, '.'));
  strong[1][3] = '#';
  strong[2][9] = '#';
  EXPECT_EQ(drawn(cleaned(mask, strong, small_cleanup())),
            "..................\n"
            ".#####............\n"
            ".#####............\n"
            ".#####............\n"
            ".#####............\n"
            "..................\n");
}

TEST(MaskCleanup, KeepsLargeHoles) {
  const std::vector<std::string> ring{"########",  //
                                      "########",  //
                                      "##....##",  //
                                      "##....##",  //
                                      "##....##",  //
                                      "########",  //
                                      "########"};
  EXPECT_EQ(drawn(cleaned(ring, ring, small_cleanup())), drawn(picture(ring)));
}

TEST(MaskCleanup, DoesNotReachForTheBorder) {
  const std::vector<std::string> near{".....",  //
                                      ".###.",  //
                                      ".###.",  //
                                      "....."};
  EXPECT_EQ(drawn(cleaned(near, near, small_cleanup())), drawn(picture(near)));
}

TEST(MaskCleanup, SizesGrowWithTheFrame) {
  const SceneSettings settings;
  const MaskSizes usual(settings, {120, 160, 1}), small(settings, {30, 40, 1}),
      large(settings, {480, 640, 1});
  EXPECT_EQ(usual.blob_area, settings.blob_area);
  EXPECT_EQ(small.blob_area, settings.blob_area);
  EXPECT_EQ(large.blob_area, 16 * settings.blob_area);
  EXPECT_EQ(usual.closing, 5);
  EXPECT_EQ(large.closing, 11);  // twice, made odd
  EXPECT_EQ(large.smooth % 2, 1);
}

// |v − Wh| over threshold + factor·1.0484·change, in hundredths, cut at 200
TEST(MaskRule, EvidenceByHand) {
  const std::vector<float> W{0.5f, 1, 1, 1}, codes{100};
  const std::vector<std::uint8_t> v{50, 115, 70, 240}, covered(4, 0);
  std::vector<float> residual(4, 0), change{0.1f, 0.1f, 10, 0.1f}, slow(4, 100);
  std::vector<std::uint8_t> still(4, 0), background(4), evidence(4);
  const pixels::Rule rule{.threshold = 15, .noise_factor = 2, .noise_step = 0, .still_within = 4};
  pixels::examine(0, 4, W.data(), 4, codes.data(), 1, v.data(), covered.data(), rule,
                  {residual.data(), change.data(), slow.data(), still.data()}, background.data(),
                  evidence.data());
  EXPECT_EQ(background, (std::vector<std::uint8_t>{50, 100, 100, 100}));
  EXPECT_EQ(residual, (std::vector<float>{0, 15, -30, 140}));
  // 15/(15 + 0.20968) = 0.986; 30/(15 + 20.968) = 0.834
  EXPECT_EQ(evidence, (std::vector<std::uint8_t>{0, 98, 83, 200}));
}

TEST(MaskRule, NoiseIsTheMedianChangeAndWaitsBehindForeground) {
  const float W = 1, codes = 100;
  float residual = 0, change = 5, slow = 100;
  std::uint8_t still = 0, background = 0, evidence = 0;
  const pixels::Rule rule{
      .threshold = 15, .noise_factor = 2, .noise_step = 0.5f, .still_within = 4};
  const auto step = [&](std::uint8_t v, std::uint8_t covered) {
    pixels::examine(0, 1, &W, 1, &codes, 1, &v, &covered, rule, {&residual, &change, &slow, &still},
                    &background, &evidence);
  };
  step(110, 0);  // |10 − 0| > 5
  EXPECT_FLOAT_EQ(change, 5.5f);
  step(111, 0);  // |11 − 10| < 5.5
  EXPECT_FLOAT_EQ(change, 5);
  EXPECT_EQ(still, 0);
  step(112, 255);
  EXPECT_FLOAT_EQ(change, 4.95f);
  EXPECT_EQ(still, 1);
  step(112, 255);
  EXPECT_EQ(still, 2);
  step(250, 255);
  EXPECT_EQ(still, 0);
}

TEST(MaskRule, ShadowsKeepTheTexture) {
  Frame background({9, 9, 1}), shadow({9, 9, 1}), object({9, 9, 1}, 70), plain({9, 9, 1}, 100);
  for (std::size_t i = 0; i < background.data.size(); ++i) {
    background.data[i] = std::uint8_t(80 + 40 * (i * i % 7) / 6);
    shadow.data[i] = std::uint8_t(std::lround(double(background.data[i]) * 0.75));
    object.data[i] = std::uint8_t(60 + i * 5 % 13);
  }
  const std::vector<float> change(81, 1);
  const SceneSettings settings;
  const auto found = [&](const Frame& frame, const Frame& behind) {
    return ShadowTest(settings, frame, behind, change.data(), 1).is_shadow(4, 4);
  };
  EXPECT_TRUE(found(shadow, background));
  EXPECT_FALSE(found(object, background));  // another texture
  EXPECT_FALSE(found(object, plain));       // nothing to recognise
  Frame darkest = shadow;
  for (auto& v : darkest.data) v = std::uint8_t(v / 2);
  EXPECT_FALSE(found(darkest, background));
}

TEST(MaskRule, ShadowsKeepTheColour) {
  SceneSettings settings;
  settings.shadow_match = 1;
  settings.shadow_color = 10;
  Frame background({1, 1, 3}), frame({1, 1, 3});
  background.data = {200, 100, 50};
  const float change = 1;
  const auto found = [&](std::vector<std::uint8_t> colour) {
    frame.data = std::move(colour);
    return ShadowTest(settings, frame, background, &change, 1).is_shadow(0, 0);
  };
  EXPECT_TRUE(found({150, 75, 40}));
  EXPECT_FALSE(found({150, 100, 75}));
  EXPECT_FALSE(found({220, 110, 55}));  // brighter
  EXPECT_FALSE(found({60, 30, 15}));    // too dark
}

// A box that only the background has is a ghost, one that only the frame has is an object.
TEST(Ghosts, OutlinesTell) {
  const FrameShape shape{20, 20, 1};
  Frame with_box(shape, 100), without(shape, 100);
  Frame mask(shape);
  std::vector<std::uint8_t> still(400, 0);
  for (Index y = 5; y < 12; ++y)
    for (Index x = 6; x < 14; ++x) {
      with_box.data[std::size_t(y * 20 + x)] = 200;
      mask.data[std::size_t(y * 20 + x)] = 255;
      still[std::size_t(y * 20 + x)] = 30;
    }
  const std::vector<float> slow_with(with_box.data.begin(), with_box.data.end());
  const std::vector<float> slow_without(without.data.begin(), without.data.end());
  GhostFinder finder;
  finder.start(shape);
  EXPECT_EQ(finder.find(still.data(), 12, slow_without.data(), with_box, mask).size(), 11u * 12u);
  EXPECT_TRUE(finder.find(still.data(), 12, slow_with.data(), without, mask).empty());
  EXPECT_TRUE(finder.find(still.data(), 31, slow_without.data(), with_box, mask).empty());
  // The middle of something larger has no outline of its own.
  const Frame everywhere(shape, 255);
  EXPECT_TRUE(finder.find(still.data(), 12, slow_without.data(), with_box, everywhere).empty());
}

}  // namespace
