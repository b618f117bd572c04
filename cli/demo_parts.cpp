// The first part of the demo: parts are learned from spoiled pictures, with and without outliers.

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "demo.hpp"
#include "picture.hpp"
#include "plot.hpp"
#include "tamis/tamis.hpp"

namespace tamis {
namespace {

constexpr Index copies = 20;           // of each of the 256 figures
constexpr float faint = 0.3F;          // how dark a figure is; a spoiled pixel has 0 or 1
constexpr double spoiled_share = 0.2;  // of the pixels of every picture
constexpr double noise = 0.02;         // on all pixels, standard deviation
constexpr Index rank = 20;             // the limbs, and a few for torso and background
constexpr double alike = 0.9;          // similarity from which a part counts as a limb
constexpr Index examples_shown = 9;

struct Pictures {
  Swimmer<float> figures = swimmer<float>();
  Matrix<float> clean = faint * replicate<float>(figures.images, copies);
  Matrix<float> V = corrupt<float>(clean, {.nu = 1,
                                           .nu_tilde = spoiled_share,
                                           .noise = noise,
                                           .kind = OutlierKind::salt_and_pepper})
                        .V;
};

struct Lesson {
  FitResult<float> fit;
  double seconds = 0;
  Encoding<float> encoding;
  Matrix<float> reconstruction;
  double psnr = 0;
  AtomMatch match;  // of the limbs with what was learned
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Lesson learn(const Pictures& data, const Lambda& lambda) {
  Settings settings;
  settings.rank = rank;
  settings.lambda = lambda;

  Lesson lesson;
  const auto start = std::chrono::steady_clock::now();
  lesson.fit = Trainer<float>(settings).fit(data.V);
  lesson.seconds = seconds_since(start);
  const Model<float>& model = lesson.fit.model;
  // Pictures need no more accuracy than this.
  lesson.encoding = model.encode(data.V, {.tolerance = 1e-3, .iterations = 100});
  lesson.reconstruction = model.reconstruct(lesson.encoding.H);
  lesson.psnr = psnr<float>(data.clean, lesson.reconstruction);
  lesson.match = match_atoms<float>(data.figures.limbs, model.W, data.figures.torso);
  return lesson;
}

void print_findings(const Pictures& data, const Lesson& with, const Lesson& without) {
  const auto samples = double(data.V.cols());
  const auto row = [](std::string_view what, const std::string& left, const std::string& right) {
    fmt::print("  {:<36}{:>16}{:>16}\n", what, left, right);
  };
  const auto limbs = [](const AtomMatch& match) {
    return fmt::format("{} of {}", match.recovered(alike), match.learned.size());
  };
  fmt::print("\n");
  row("", "with outliers", "without");
  row("limbs found", limbs(with.match), limbs(without.match));
  row("similarity of a limb and its part", fmt::format("{:.3f}", with.match.mean()),
      fmt::format("{:.3f}", without.match.mean()));
  const double given = psnr<float>(data.clean, data.V);
  const auto gain = [&](const Lesson& lesson) {
    return fmt::format("{:.1f} -> {:.1f} dB", given, lesson.psnr);
  };
  row("PSNR, as given -> reconstructed", gain(with), gain(without));
  row("seconds to learn", fmt::format("{:.2f}", with.seconds),
      fmt::format("{:.2f}", without.seconds));
  row("samples per second", fmt::format("{:.0f}", samples / with.seconds),
      fmt::format("{:.0f}", samples / without.seconds));
  fmt::print(
      "\nWith outliers, V = WH + R: what does not fit is sieved out. Without, V = WH: the same "
      "with\n"
      "that term switched off. A limb is found if a part is at least {} similar (1 is identical;\n"
      "the torso, which is in all pictures, left out). The noise scale was estimated as {:.3f};\n"
      "what is off by more than {:.3f} is called an outlier.\n",
      alike, with.fit.model.sigma, with.fit.model.lambda);
}

cv::Mat draw_examples(const Pictures& data, const Lesson& lesson) {
  picture::TileLayout layout{data.figures.height, data.figures.width};
  layout.columns = 3;
  const auto samples = [&](const Matrix<float>& X) {
    return picture::tiles(X.leftCols(examples_shown), layout);
  };
  std::vector<picture::Panel> panels{
      {"as given, V", samples(data.V)},
      {"reconstruction, WH (darker)", samples(lesson.reconstruction / faint)}};
  layout.ink = picture::Ink::red_blue;
  panels.push_back({"outliers, R (red +, blue -)", samples(lesson.encoding.R)});
  return picture::page(panels);
}

cv::Mat draw_basis(const Pictures& data, const Lesson& lesson, const std::string& caption) {
  picture::TileLayout layout{data.figures.height, data.figures.width};
  layout.columns = 5;
  return picture::page(
      {{caption, picture::tiles(picture::unit_maximum(lesson.fit.model.W), layout)}});
}

cv::Mat draw_objective(const Lesson& lesson) {
  picture::Curve curve{"What is left to explain while samples stream in",
                       "samples seen",
                       "objective: mean loss of a sample",
                       {}};
  for (const TracePoint& point : lesson.fit.info.trace.points())
    curve.points.emplace_back(double(point.samples), point.objective);
  return picture::plot(curve);
}

}  // namespace

void show_parts(DemoFolder& folder) {
  const Pictures data;
  fmt::print(
      "1. Parts. {} pictures of {}x{} pixels: a faint swimmer with four limbs, each in one of "
      "four\n"
      "positions. {:.0f} % of the pixels of every picture were made black or white at random, and\n"
      "all have a little noise: PSNR {:.1f} dB. Learning {} parts from them, in one pass ...\n",
      data.V.cols(), data.figures.height, data.figures.width, 100 * spoiled_share,
      psnr<float>(data.clean, data.V), rank);
  const Lesson with = learn(data, LambdaAuto{});
  const Lesson without = learn(data, LambdaValue{std::numeric_limits<double>::infinity()});
  print_findings(data, with, without);
  folder.save("examples.png", draw_examples(data, with),
              "some samples, reconstructed, and what was sieved out");
  folder.save("basis.png", draw_basis(data, with, "parts learned with the outlier term"),
              "the parts that were learned: most are single limbs");
  folder.save("basis-without.png",
              draw_basis(data, without, "parts learned without the outlier term"),
              "the same without the outlier term: the limbs drown in spoiled pixels");
  folder.save("objective.png", draw_objective(with),
              "how the objective falls as samples stream in");
}

}  // namespace tamis
