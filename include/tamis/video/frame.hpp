// A frame of a video: bytes, row by row, colours red first.
#pragma once

#include <cstdint>
#include <vector>

#include "tamis/types.hpp"

namespace tamis {

struct FrameShape {
  Index height = 0;
  Index width = 0;
  Index channels = 1;  // or 3

  Index pixels() const { return height * width; }
  Index entries() const { return pixels() * channels; }
  bool operator==(const FrameShape&) const = default;
};

struct Frame {
  FrameShape shape;
  std::vector<std::uint8_t> data;  // height × width × channels

  Frame() = default;
  explicit Frame(const FrameShape& of, std::uint8_t value = 0)
      : shape(of), data(std::size_t(of.entries()), value) {}
  bool operator==(const Frame&) const = default;
};

}  // namespace tamis
