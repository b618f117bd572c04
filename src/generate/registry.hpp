// Which generator makes what the options describe: one overload each.
#pragma once

#include <memory>

#include "generate/swimmer_generator.hpp"
#include "generate/synthetic_generator.hpp"
#include "generate/video_generator.hpp"

namespace tamis {

template <class T>
std::unique_ptr<Generator<T>> generator_for(const SyntheticOptions& options) {
  return std::make_unique<SyntheticGenerator<T>>(options);
}

template <class T>
std::unique_ptr<Generator<T>> generator_for(const SwimmerOptions& options) {
  return std::make_unique<SwimmerGenerator<T>>(options);
}

template <class T>
std::unique_ptr<Generator<T>> generator_for(const VideoOptions& options) {
  return std::make_unique<VideoGenerator<T>>(options);
}

}  // namespace tamis
