#include "tamis/generate/scene.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "generate/draw.hpp"
#include "generate/require.hpp"

namespace tamis {
namespace {

constexpr double darkest = 0.15, brightest = 0.65;
constexpr double horizon = 0.58;  // share of the height where the pavement begins
constexpr double kerb = 0.68;     // and the road
constexpr Index least_side = 16, most_side = 1 << 15;
constexpr Index most_objects = 1000000;

void check(const StreetOptions& options) {
  const auto require_side = [](const char* field, Index side) {
    require(side >= least_side && side <= most_side, field, side, "from 16 to 32768");
  };
  require_side("height", options.height);
  require_side("width", options.width);
  require(options.frames >= 1, "frames", options.frames, "at least 1");
  require(options.objects >= 0 && options.objects <= most_objects, "objects", options.objects,
          "from 0 to 1000000");
  require(options.noise >= 0 && std::isfinite(options.noise), "noise", options.noise,
          "at least 0 and finite");
  require_share("lighting", options.lighting);
}

// Random heights on a coarse grid, interpolated smoothly: stains, foliage, plaster. In [−1, 1].
class SmoothNoise {
 public:
  SmoothNoise(Index cells, std::uint64_t seed, DataPart part)
      : heights_(draw<double>(cells + 1, cells + 1, seed, part,
                              [](RandomStream& random) { return 2 * random.uniform() - 1; })) {}

  // y, x in [0, 1)
  double operator()(double y, double x) const {
    const auto cells = double(heights_.rows() - 1);
    const auto row = Index(y * cells), column = Index(x * cells);
    const double v = smooth(y * cells - double(row)), u = smooth(x * cells - double(column));
    const double top = mix(heights_(row, column), heights_(row, column + 1), u);
    const double bottom = mix(heights_(row + 1, column), heights_(row + 1, column + 1), u);
    return mix(top, bottom, v);
  }

 private:
  static double smooth(double t) { return t * t * (3 - 2 * t); }
  static double mix(double a, double b, double t) { return a + (b - a) * t; }

  Matrix<double> heights_;
};

bool within(double x, double low, double high) { return x >= low && x < high; }

// Houses with windows, a pavement, a road with a dashed line; y, x in [0, 1).
double paint(double y, double x) {
  if (y >= kerb) {
    const bool line = within(y, 0.835, 0.855) && std::fmod(x * 8, 1) < 0.5;
    return line ? 0.6 : 0.27 + 0.1 * (y - kerb);
  }
  if (y >= horizon) return 0.52 - 0.2 * (y - horizon);
  const double house = std::floor(x * 3);
  const double wall = 0.38 + 0.07 * house + 0.12 * (horizon - y);
  const double across = std::fmod(x * 3, 1), along = std::fmod(y / horizon * 3, 1);
  const bool door = house == 1 && y > horizon - 0.16 && within(across, 0.42, 0.6);
  if (door) return 0.22;
  const bool window =
      along > 0.25 && along < 0.75 && (within(across, 0.12, 0.36) || within(across, 0.64, 0.88));
  return window ? 0.24 + 0.1 * across : wall;
}

Vector<double> paint_street(const StreetOptions& options) {
  constexpr double stains = 0.05, grain = 0.025;
  const SmoothNoise coarse(7, options.seed, DataPart::dictionary);
  const SmoothNoise fine(29, options.seed, DataPart::outliers);
  Vector<double> street(options.height * options.width);
  for (Index row = 0; row < options.height; ++row) {
    RandomStream random = data_stream(options.seed, DataPart::shuffle, row);
    for (Index column = 0; column < options.width; ++column) {
      const double y = (double(row) + 0.5) / double(options.height);
      const double x = (double(column) + 0.5) / double(options.width);
      const double value = paint(y, x) + stains * (coarse(y, x) + 0.5 * fine(y, x)) +
                           grain * (2 * random.uniform() - 1);
      street[row * options.width + column] = std::clamp(value, darkest, brightest);
    }
  }
  return street;
}

}  // namespace

Street::Object Street::make_object(const StreetOptions& options, Index number) {
  RandomStream random = data_stream(options.seed, DataPart::codes, number);
  const auto between = [&](double low, double high) {
    return low + (high - low) * random.uniform();
  };
  const auto H = double(options.height), W = double(options.width);
  Object object{};
  object.person = number % 3 == 1;
  object.height = std::max(3., H * (object.person ? between(0.2, 0.3) : between(0.1, 0.16)));
  object.length =
      std::max(2., object.person ? object.height * between(0.3, 0.4) : W * between(0.14, 0.26));
  object.speed = W / (object.person ? between(150, 260) : between(50, 110));
  const bool left = random.uniform() < 0.5;
  if (left) object.speed = -object.speed;
  // People are on the pavement, cars in the lane of their direction.
  object.row = H * (object.person ? between(0.5, 0.62)
                    : left        ? between(0.74, 0.78)
                                  : between(0.89, 0.93));
  object.start = W * between(0, 1);
  const bool stops = number % 2 == 1;
  object.go = stops ? 40 + random.below(40) : 1;
  object.rest = stops ? 30 + random.below(30) : 0;
  // Outside of what the street has, so that an object can always be told from it.
  object.brightness = number % 2 == 0 ? between(0.82, 0.92) : between(0.05, 0.08);
  return object;
}

Street::Street(const StreetOptions& options) : options_(options) {
  check(options);
  street_ = paint_street(options);
  for (Index n = 0; n < options.objects; ++n) objects_.push_back(make_object(options, n));
}

double Street::light(Index i) const {
  const double time = double(i) / double(options_.frames);
  const double slow = 1 + options_.lighting / 2 * std::sin(2 * std::numbers::pi * time);
  const double step = time < 0.6 ? 1 : 1 - options_.lighting / 2;
  return slow * step;
}

double Street::column_of(const Object& object, Index i) const {
  const Index round = object.go + object.rest;
  const Index moving = i / round * object.go + std::min(i % round, object.go);
  // The way is longer than the picture, so that it is out of sight for a while.
  const double way = double(options_.width) + 2 * object.length;
  const double place = std::fmod(object.start + std::abs(object.speed) * double(moving), way);
  return object.speed > 0 ? place - object.length : double(options_.width) - place;
}

template <class T>
void Street::draw(const Object& object, Index i, StreetFrame<T>& frame) const {
  const double left = column_of(object, i), top = object.row - object.height / 2;
  const auto clip = [](double place, Index size) {
    return std::clamp<Index>(Index(std::ceil(place)), 0, size);
  };
  for (Index row = clip(top, options_.height); row < clip(top + object.height, options_.height);
       ++row) {
    for (Index column = clip(left, options_.width);
         column < clip(left + object.length, options_.width); ++column) {
      const double y = (double(row) - top) / object.height;  // within it, from 0 to 1
      const double x = (double(column) - left) / object.length;
      const double dy = 2 * y - 1, dx = 2 * x - 1;
      const bool bonnet = y < 0.45 && std::abs(dx) > 0.6;  // a car's roof is shorter
      if (object.person ? dx * dx + dy * dy > 1 : bonnet) continue;
      const double shade = y < 0.4 ? -0.04 : 0;  // hair, windows
      const Index pixel = row * options_.width + column;
      frame.V[pixel] = T((object.brightness + shade) * light(i));
      frame.mask[pixel] = T(1);
    }
  }
}

template <class T>
StreetFrame<T> Street::frame(Index i) const {
  require(i >= 0 && i < options_.frames, "frame", i, "from 0 to the number of frames − 1");
  StreetFrame<T> frame;
  frame.background = (light(i) * street_).cast<T>();
  frame.V = frame.background;
  frame.mask.setZero(pixels());
  for (const Object& object : objects_) draw(object, i, frame);
  RandomStream random = data_stream(options_.seed, DataPart::noise, i);
  if (options_.noise > 0)
    for (T& value : frame.V) value += T(options_.noise * random.normal());
  frame.V = frame.V.cwiseMax(T(0)).cwiseMin(T(1)).eval();
  return frame;
}

template StreetFrame<float> Street::frame(Index) const;
template StreetFrame<double> Street::frame(Index) const;

}  // namespace tamis
