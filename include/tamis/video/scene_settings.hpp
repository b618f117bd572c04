// What can be set about splitting a scene into background and foreground. Gray levels are those of
// 8 bits, whatever the input has; areas and widths are those of a frame of 160×120 pixels and grow
// with the size of the frame.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tamis/fields.hpp"
#include "tamis/forget.hpp"
#include "tamis/lambda.hpp"
#include "tamis/settings.hpp"
#include "tamis/types.hpp"

namespace tamis {

enum class MaskRule {
  noise,    // far from the background, compared with the noise of the pixel; cleaned up
  outlier,  // |r| > 0, as it is
};
constexpr std::array<std::string_view, 2> words_for(MaskRule) { return {"noise", "outlier"}; }

struct SceneSettings {
  Index rank = 5;
  Lambda lambda = LambdaAuto{2};
  Forget forget = ForgetPolynomial{2};
  Index warmup = 48;
  Index batch_size = 8;
  Index learn_every = 1;
  Index iterations = 6;
  double absorb = 1;
  Index ghost_frames = 12;
  double cut = 0.6;
  bool steady = true;

  MaskRule mask_rule = MaskRule::noise;
  double threshold = 15;
  double noise_factor = 2;
  Index smooth = 3;
  double evidence = 0.9;
  double own_evidence = 0.5;
  double strong_evidence = 1.4;
  double strong_area = 5;
  Index closing = 5;
  double blob_area = 30;
  double hole_area = 100;
  double shadow_match = 0.9;
  double shadow_depth = 0.6;
  double shadow_light = 1.4;
  double shadow_color = 0;

  Index threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("rank", self.rank, at_least(1), "number of atoms K of the background");
    visit("lambda", self.lambda, any_value(), "weight λ of the outlier penalty");
    visit("forget", self.forget, any_value(), "how the past fades");
    visit("warmup", self.warmup, between(1, 65535), "frames that the background is first made of");
    visit("batch_size", self.batch_size, at_least(1), "frames per mini-batch τ");
    visit("learn_every", self.learn_every, at_least(1), "learn from one frame in this many");
    visit("iterations", self.iterations, at_least(1), "encoder iterations per frame");
    visit("absorb", self.absorb, at_least(0),
          "how far a frame may draw the background towards the foreground, in noise scales");
    visit("ghost_frames", self.ghost_frames, between(0, 255),
          "frames after which a still blob whose outline only the background has becomes "
          "background; 0: never");
    visit("cut", self.cut, between(0, 1),
          "share of foreground from which the scene is a new one; 1: never");
    visit("steady", self.steady, any_value(),
          "hold frames in place if the first ones show that the camera shakes");

    visit("mask_rule", self.mask_rule, any_value(), "what is foreground");
    visit("threshold", self.threshold, at_least(0),
          "difference from the background that counts, in gray levels");
    visit("noise_factor", self.noise_factor, at_least(0),
          "… plus this many standard deviations of the pixel's noise");
    visit("smooth", self.smooth, at_least(1), "width of the window that evidence is averaged over");
    visit("evidence", self.evidence, at_least(0), "averaged evidence of foreground, 1: threshold");
    visit("own_evidence", self.own_evidence, at_least(0), "the least of a pixel itself");
    visit("strong_evidence", self.strong_evidence, between(0, 2),
          "averaged evidence that a blob must have somewhere");
    visit("strong_area", self.strong_area, at_least(0), "… and on how many pixels");
    visit("closing", self.closing, at_least(1), "width of the gaps that are closed");
    visit("blob_area", self.blob_area, at_least(0), "smaller blobs are dropped");
    visit("hole_area", self.hole_area, at_least(0), "smaller holes are filled");
    visit("shadow_match", self.shadow_match, between(0, 1),
          "correlation with the background's texture from which only the light differs; 1: off");
    visit("shadow_depth", self.shadow_depth, between(0, 1),
          "the darkest shadow, relative to the background");
    visit("shadow_light", self.shadow_light, at_least(1),
          "the brightest reflection, relative to the background");
    visit(
        "shadow_color", self.shadow_color, at_least(0),
        "with --color: darker pixels whose colour differs by less, in gray levels, are in shadow; "
        "0: off");
    visit("threads", self.threads, at_least(0), "threads to use; 0 for all");
  }

  // Throws SettingsError naming every broken rule.
  void validate() const;
  // Sets one field from text, as on a command line: set("mask_rule", "outlier").
  void set(std::string_view field, std::string_view value);
};

// One row per field, for help texts and tables.
std::vector<FieldDescription> describe_scene_settings();

}  // namespace tamis
