// tamis evaluate shadow: how much of the cast shadows is gone, and what else has changed.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "evaluate_measures.hpp"
#include "evaluate_pair.hpp"
#include "input.hpp"
#include "interrupt.hpp"
#include "lights.hpp"
#include "report.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

struct ShadowFlags : PairFlags {
  std::string light;
};

// Both inputs, each image and its result divided by the maximum of the image
struct Scaled {
  Matrix<float> images, results;
  std::vector<std::string> names;

  void add(PairedInput& input) {
    const Index before = images.cols(), n = input.first().cols();
    images.conservativeResize(input.features(), before + n);
    results.conservativeResize(input.features(), before + n);
    for (Index j = 0; j < n; ++j) {
      const double largest = input.first().col(j).maxCoeff();
      const double scale = largest > 0 ? 1 / largest : 1;
      images.col(before + j) = (scale * input.first().col(j)).cast<float>();
      results.col(before + j) = (scale * input.second().col(j)).cast<float>();
      names.push_back(input.name(before + j));
    }
  }
};

std::vector<Light> lights_of(const ShadowFlags& flags, const Scaled& scaled) {
  std::string table = flags.light;
  if (table.empty() && std::filesystem::exists(light_table_of(flags.first)))
    table = light_table_of(flags.first);
  if (table.empty() && scaled.names.front().empty())
    throw DataError(flags.first +
                    ": where the light came from is not known: --light names a "
                    "table with azimuth and elevation, in degrees, per image");
  std::vector<Light> lights = table.empty() ? lights_of_names(scaled.names, flags.first)
                                            : lights_of_table(table, scaled.images.cols());
  if (flags.limit == 0 && Index(lights.size()) != scaled.images.cols())
    throw DataError(fmt::format("{}: has {} lines, but {} has {} images", table, lights.size(),
                                flags.first, scaled.images.cols()));
  lights.resize(std::size_t(scaled.images.cols()));
  return lights;
}

void run_shadow(const ShadowFlags& flags) {
  watch_for_interrupt();
  PairedInput input = flags.open();
  Scaled scaled;
  while (input.next()) scaled.add(input);
  require_samples(flags, input.samples());
  const std::vector<Light> lights = lights_of(flags, scaled);
  naming_file(flags.first, [&] {
    const ShadowJudge judge(scaled.images, input.shape(), lights);
    const ShadowScore score = judge.measure(scaled.results);
    Json json = pair_json(flags, "images", "results");
    json.update({{"shadow_error", number(score.shadow_error)},
                 {"shadow_error_input", number(score.shadow_error_input)},
                 {"lit_change", number(score.lit_change)},
                 {"artefacts", number(score.artefacts)},
                 {"judged", judge.judged().size()}});
    print_result(
        flags.common, json,
        fmt::format("shadow error {:.2f} gray levels (of the input {:.2f})  change of lit pixels "
                    "{:.2f}\n{} images lit from the side were judged\n",
                    score.shadow_error, score.shadow_error_input, score.lit_change,
                    judge.judged().size()));
  });
}

}  // namespace

void add_evaluate_shadow(CLI::App& group) {
  const auto flags = std::make_shared<ShadowFlags>();
  CLI::App* command = add_command(
      group, "shadow", "How much of the cast shadows is gone, and what else has changed",
      "tamis evaluate shadow faces.npy relit.npy --light faces_light.csv", flags->common);
  add_pair(*command, *flags, "IMAGES", "One object under changing light", "RESULT",
           "The same without cast shadows");
  command
      ->add_option("--light", flags->light,
                   "Table of azimuth and elevation per image, in degrees [IMAGES_light.csv, or the "
                   "names of the images: A-035E+15]")
      ->type_name("FILE")
      ->group("Input");
  command->callback([flags] { run_shadow(*flags); });
}

}  // namespace tamis
