// The street of scene.hpp as a stream for make_generator(): V° is the background.
#pragma once

#include <string_view>

#include "tamis/fields.hpp"
#include "tamis/generate/scene.hpp"

namespace tamis {

struct VideoOptions {
  static constexpr std::string_view name = "video";
  static constexpr std::string_view help = "A street with cars and people, of a known background";
  static constexpr bool has_factors = false;
  static constexpr bool has_masks = true;

  StreetOptions street = {};

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    auto& street = self.street;
    visit("height", street.height, at_least(16), "of a frame, in pixels");
    visit("width", street.width, at_least(16), "of a frame, in pixels");
    visit("frames", street.frames, at_least(1), "how many");
    visit("objects", street.objects, at_least(0), "cars and people");
    visit("noise", street.noise, at_least(0), "standard deviation of the noise on every pixel");
    visit("lighting", street.lighting, between(0, 1), "relative size of the change of light");
    visit("seed", street.seed, any_value(), "of the random numbers");
  }
};

}  // namespace tamis
