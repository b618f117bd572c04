// tamis inspect: look at a model.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <opencv2/core.hpp>

#include "basis_picture.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "io/formats.hpp"
#include "kept.hpp"
#include "picture.hpp"
#include "settings/suggest.hpp"
#include "tamis/error.hpp"
#include "tamis/model.hpp"
#include "usage.hpp"

namespace tamis {
namespace fs = std::filesystem;
namespace {

struct InspectFlags {
  Common common;
  std::string model, basis, shape;
  Index columns = 0;  // 0: about square
  bool unsorted = false;
};

// "19x19", height first; nothing: as the model remembers it
std::vector<Index> tile_shape(const InspectFlags& flags, const std::vector<Index>& remembered,
                              Index F) {
  std::vector<Index> shape = remembered;
  if (!flags.shape.empty()) {
    const auto sides = parse_sides(flags.shape);
    // Divided, not multiplied: a product of what somebody wrote may be too large for any number.
    if (!sides || F % sides->first != 0 || F / sides->first != sides->second)
      throw SettingsError(
          fmt::format("--shape {} is not HEIGHTxWIDTH with product {} (the number of features)",
                      text::quoted(flags.shape), F));
    shape = {sides->first, sides->second};
  }
  if (shape.size() == 2 || (shape.size() == 3 && shape[2] == 3)) return shape;
  return {1, F};  // a strip
}

template <class T>
void run_inspect(const InspectFlags& flags) {
  check_kept({flags.model}, {flags.basis});
  check_outputs({flags.basis}, flags.common.force);
  if (fs::path(flags.basis).has_extension() && !has_ending(flags.basis, {".png"}))
    throw SettingsError(fmt::format(
        "--basis {}: the picture is a PNG; give it a name that ends in .png", flags.basis));
  const auto model = Model<T>::load(flags.model);
  if (!model.trained()) throw DataError(flags.model + ": has not learned anything yet");
  const std::vector<Index> shape = tile_shape(flags, model.shape, model.features());
  const Vector<double> share = usage(model);
  std::vector<Index> order(std::size_t(model.rank()));
  std::iota(order.begin(), order.end(), Index(0));
  if (!flags.unsorted)
    std::ranges::stable_sort(order, std::greater(), [&](Index k) { return share[k]; });
  const auto columns =
      flags.columns > 0
          ? flags.columns
          : Index(std::ceil(std::sqrt(double(model.rank()) * double(shape[0]) / double(shape[1]))));
  picture::save(flags.basis, picture::basis(model.W.template cast<float>(), shape, share, order,
                                            std::clamp<Index>(columns, 1, model.rank())));
  say(flags.common,
      fmt::format("{} atoms as {} pixels, {}: {}", model.rank(), fmt::join(shape, "x"),
                  flags.unsorted ? "in the model's order" : "the most used first", flags.basis));
  print_result(
      flags.common,
      {{"status", "completed"}, {"basis", flags.basis}, {"shape", shape}, {"order", order}}, "");
}

}  // namespace

void add_inspect(CLI::App& app) {
  const auto flags = std::make_shared<InspectFlags>();
  CLI::App* command = add_command(app, "inspect", "Draw the dictionary of a model",
                                  "tamis inspect model.h5 --basis basis.png", flags->common);
  command->add_option("MODEL", flags->model, "Made by tamis fit")->required();
  command->add_option("--basis", flags->basis, "The atoms as tiles, PNG")
      ->type_name("FILE")
      ->required()
      ->group("Output");
  add_force(*command, flags->common);
  command->add_option("--shape", flags->shape, "Of an atom, if the input was not images")
      ->type_name("HxW")
      ->group("Output");
  command->add_option("--columns", flags->columns, "Tiles in a row [about square]")
      ->type_name("n")
      ->check(whole_number(1))
      ->group("Output");
  command->add_flag("--unsorted", flags->unsorted, "In the model's order, not by usage")
      ->group("Output");
  command->callback([flags] {
    model_type(flags->model) == ElementType::f64 ? run_inspect<double>(*flags)
                                                 : run_inspect<float>(*flags);
  });
}

}  // namespace tamis
