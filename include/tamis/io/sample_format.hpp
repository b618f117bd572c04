// What a sample is made of, beyond its numbers.
#pragma once

#include <string_view>
#include <vector>

#include "tamis/types.hpp"

namespace tamis {

// How an entry is stored in a file.
enum class ElementType { u8, u16, f32, f64 };
std::string_view name_of(ElementType type);  // "u8", …
Index size_of(ElementType type);             // bytes
// The largest value of an integer type, 1 for others: entries are divided by it on reading and
// multiplied by it on writing, so that inside images are in [0, 1] whatever their depth.
double unit_of(ElementType type);

struct SampleFormat {
  // Features are entries of an array of this shape, the last index running fastest: {F}, or
  // {height, width} of a gray image, or {height, width, 3} of a coloured one.
  std::vector<Index> shape;
  ElementType type = ElementType::f32;
  double unit = 1;        // entries were divided by it on reading
  double frame_rate = 0;  // of a video, per second

  Index features() const;
  bool image() const { return shape.size() == 2 || (shape.size() == 3 && shape[2] == 3); }
};

}  // namespace tamis
