// The second part of the demo: a scene is split into background and what moves.

#include <fmt/format.h>

#include <vector>

#include "demo.hpp"
#include "picture.hpp"
#include "tamis/generate/scene.hpp"
#include "tamis/tamis.hpp"

namespace tamis {
namespace {

constexpr Index rank = 3;          // one atom for the street, two for how its light changes
constexpr Index passes = 2;        // the first one learns the street
constexpr double threshold = 0.1;  // from which a difference counts as something moving
constexpr Index shown = 100;       // the frame in the picture

struct Scene {
  Street street{{}};
  Matrix<float> V, background, mask;

  Scene() {
    const Index N = street.options().frames;
    V.resize(street.pixels(), N);
    background.resize(street.pixels(), N);
    mask.resize(street.pixels(), N);
    for (Index i = 0; i < N; ++i) {
      const auto frame = street.frame<float>(i);
      V.col(i) = frame.V;
      background.col(i) = frame.background;
      mask.col(i) = frame.mask;
    }
  }
};

Settings scene_settings() {
  Settings settings;
  settings.rank = rank;
  settings.batch_size = 8;
  settings.epochs = passes;
  return settings;
}

cv::Mat draw(const Scene& scene, const Matrix<float>& learned) {
  picture::TileLayout layout{scene.street.options().height, scene.street.options().width};
  layout.columns = 1;
  layout.scale = 2;
  // Frames are light on dark; tiles are ink on paper.
  const auto one = [&](const Vector<float>& x) {
    return picture::tiles(Vector<float>::Ones(x.size()) - x, layout);
  };
  const Vector<float> frame = scene.V.col(shown), back = learned.col(shown);
  std::vector<picture::Panel> panels{{"a frame, v", one(frame)}, {"background, Wh", one(back)}};
  layout.ink = picture::Ink::red_blue;
  panels.push_back({"the rest (red +, blue -)", picture::tiles(frame - back, layout)});
  layout.ink = picture::Ink::gray;
  const Vector<float> found = ((frame - back).array().abs() > float(threshold))
                                  .select(Vector<float>::Ones(frame.size()), 0);
  panels.push_back({"what moves: found", picture::tiles(found, layout)});
  panels.push_back({"and true", picture::tiles(scene.mask.col(shown), layout)});
  return picture::page(panels);
}

}  // namespace

void show_scene(DemoFolder& folder) {
  const Scene scene;
  const StreetOptions& options = scene.street.options();
  fmt::print(
      "\n2. A scene. {} frames of {}x{} pixels of a street: its light changes, cars and people\n"
      "move. The background is learned as {} parts; what moves does not fit and is sieved out.\n",
      options.frames, options.width, options.height, rank);
  const FitResult<float> fit = Trainer<float>(scene_settings()).fit(scene.V);
  const Encoding<float> encoding =
      fit.model.encode(scene.V, {.tolerance = 1e-3, .iterations = 100});
  const Matrix<float> learned = fit.model.reconstruct(encoding.H);
  const OutlierScore score = outlier_score<float>(scene.mask, scene.V - learned, threshold);
  const Vector<float> mean = scene.V.rowwise().mean();
  const OutlierScore naive =
      outlier_score<float>(scene.mask, scene.V - mean.replicate(1, scene.V.cols()), threshold);
  fmt::print("\n  {:<36}{:>16}{:>16}\n  {:<36}{:>16.3f}{:>16.3f}\n  {:<36}{:>16.3f}{:>16.3f}\n", "",
             "tamis", "mean frame", "moving pixels found: F", score.f, naive.f,
             "background: relative error", relative_error<float>(scene.background, learned),
             relative_error<float>(scene.background, mean.replicate(1, scene.V.cols())));
  folder.save("scene.png", draw(scene, learned),
              "a frame of a street, split into background and what moves");
}

}  // namespace tamis
