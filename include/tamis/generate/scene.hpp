// A street as a fixed camera sees it: a background under changing light, and cars and people that
// move in front of it. What separates the two can be judged exactly here.
#pragma once

#include <cstdint>
#include <vector>

#include "tamis/types.hpp"

namespace tamis {

struct StreetOptions {
  Index height = 120;   // of a frame, at least 16
  Index width = 160;    // at least 16
  Index frames = 300;   // at least 1
  Index objects = 3;    // cars and people, at least 0
  double noise = 0.02;  // standard deviation of the noise on every pixel
  double lighting =
      0.3;  // relative size of the slow change of light and of its one step, in [0, 1]
  std::uint64_t seed = 0;
};

// Pixel (row, column) is entry row·width + column.
template <class T>
struct StreetFrame {
  Vector<T> V;           // clip(what is seen + noise, 0, 1)
  Vector<T> background;  // the same without objects and noise: the street times its light
  Vector<T> mask;        // 1 where an object is, 0 elsewhere
};

// Any frame at any time: none depends on another. Objects cross the picture again and again, leave
// it and come back; every second one stops now and then. They are darker or brighter than all of
// the street, whose entries are from 0.15 to 0.65.
class Street {
 public:
  // Throws SettingsError if an option is out of range.
  explicit Street(const StreetOptions& options = {});

  const StreetOptions& options() const { return options_; }
  Index pixels() const { return options_.height * options_.width; }

  // 0 ≤ i < frames, otherwise SettingsError
  template <class T>
  StreetFrame<T> frame(Index i) const;
  // What the street is multiplied by; the step is at 60 % of the frames.
  double light(Index i) const;

 private:
  // An ellipse or a box that moves along a row
  struct Object {
    bool person;
    double length, height;  // pixels
    double row;             // of its middle
    double speed;           // pixels per frame, negative: to the left
    double start;           // where it is on its way in frame 0
    Index go, rest;         // frames between stops, and of a stop
    double brightness;
  };
  static Object make_object(const StreetOptions& options, Index number);
  double column_of(const Object& object, Index i) const;  // of its left end
  template <class T>
  void draw(const Object& object, Index i, StreetFrame<T>& frame) const;

  StreetOptions options_;
  Vector<double> street_;
  std::vector<Object> objects_;
};

}  // namespace tamis
