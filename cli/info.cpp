// tamis info: what a model is.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "commands.hpp"
#include "common.hpp"
#include "report.hpp"
#include "settings/text.hpp"
#include "tamis/tamis.hpp"
#include "usage.hpp"

namespace tamis {
namespace {

template <class T>
std::string lambda_in_words(const Model<T>& model) {
  if (std::isinf(model.lambda)) return "switched off (λ = ∞)";
  std::string text = fmt::format("beyond λ = {:.4g}", model.lambda * model.unit);
  if (model.sigma > 0) text += fmt::format(", noise scale {:.4g}", model.sigma * model.unit);
  return text;
}

template <class T>
std::string in_words(const Model<T>& model, const std::string& path) {
  const Settings& s = model.settings;
  std::string text = fmt::format("{}: a tamis model\n", path);
  const auto line = [&](std::string_view what, const std::string& value) {
    text += fmt::format("  {:<14}{}\n", what, value);
  };
  line("dictionary", fmt::format("{} atoms of {} features ({}), {}", model.rank(), model.features(),
                                 fmt::join(model.shape, "x"), sizeof(T) == 8 ? "double" : "float"));
  line("input",
       model.unit == 1 ? "as it came" : fmt::format("divided by {} (integers)", model.unit));
  line("learned by", fmt::format("{}, constraint {}, code penalty {}", text::write(s.algorithm),
                                 text::write(s.constraint), text::write(s.code_penalty)));
  line("from", fmt::format("{} samples in {} mini-batches, {} passes completed",
                           with_commas(model.samples), with_commas(model.batches), model.epoch));
  line("outliers", lambda_in_words(model));
  line("objective", fmt::format("{:.6g} (mean loss of a sample)", model.surrogate()));
  line("sparsity", fmt::format("{:.3f} (Hoyer: 0 all entries equal, 1 a single one)",
                               hoyer_sparsity<T>(model.W)));
  const Vector<double> share = usage(model);
  line("usage", fmt::format("the busiest atom carries {:.1f} %, the laziest {:.2g} %; {} replaced",
                            100 * share.maxCoeff(), 100 * share.minCoeff(), model.reseeded));
  return text;
}

template <class T>
Json as_json(const Model<T>& model, const std::string& path) {
  const Vector<double> share = usage(model);
  return {{"file", path},
          {"precision", sizeof(T) == 8 ? "double" : "float"},
          {"rank", model.rank()},
          {"features", model.features()},
          {"shape", model.shape},
          {"unit", model.unit},
          {"samples", model.samples},
          {"batches", model.batches},
          {"epochs", model.epoch},
          {"position", model.position},
          {"reseeded", model.reseeded},
          {"lambda", number(model.lambda)},
          {"sigma", number(model.sigma)},
          {"objective", number(model.surrogate())},
          {"hoyer_sparsity", number(hoyer_sparsity<T>(model.W))},
          {"usage", std::vector<double>(share.begin(), share.end())},
          {"settings", Json::parse(model.settings.to_json())}};
}

template <class T>
void run_info(const std::string& path, const Common& common) {
  const auto model = Model<T>::load(path);
  if (!model.trained()) throw DataError(path + ": a model that has not learned anything yet");
  print_result(common, as_json(model, path), in_words(model, path));
}

}  // namespace

void add_info(CLI::App& app) {
  struct Flags {
    Common common;
    std::string model;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command =
      add_command(app, "info", "Tell what a model is", "tamis info model.h5", flags->common);
  command->add_option("MODEL", flags->model, "Made by tamis fit")->required();
  command->callback([flags] {
    model_type(flags->model) == ElementType::f64 ? run_info<double>(flags->model, flags->common)
                                                 : run_info<float>(flags->model, flags->common);
  });
}

}  // namespace tamis
