// Everything a user can set. Plain data; what is unset takes the algorithm's own default.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/algorithm/algorithm.hpp"
#include "tamis/constraint/constraint.hpp"
#include "tamis/fields.hpp"
#include "tamis/forget.hpp"
#include "tamis/initializer/initializer.hpp"
#include "tamis/lambda.hpp"
#include "tamis/normalize.hpp"
#include "tamis/regularizer/code_penalty.hpp"
#include "tamis/regularizer/dictionary_penalty.hpp"
#include "tamis/regularizer/outlier_penalty.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct Settings {
  Index rank = 10;
  Algorithm algorithm = Fast{};

  std::optional<Lambda> lambda = {};
  std::optional<double> max_outlier = {};
  bool nonneg_outliers = false;
  OutlierPenalty outlier_penalty = L1{};
  Groups outlier_groups = {};

  CodePenalty code_penalty = NoCodePenalty{};
  Groups code_groups = {};

  std::optional<Constraint> constraint = {};
  DictionaryPenalty dictionary_penalty = {};
  Init init = UniformInit{};
  std::optional<bool> reseed = {};
  std::optional<Forget> forget = {};

  std::optional<Index> batch_size = {};
  Index epochs = 1;
  bool shuffle = false;
  std::optional<Normalize> normalize = {};
  bool missing = false;
  bool allow_negative = false;

  std::uint64_t seed = 0;
  Index threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("rank", self.rank, at_least(1), "number of atoms K");
    visit("algorithm", self.algorithm, any_value(), "how to learn");
    visit("lambda", self.lambda, any_value(), "weight λ of the outlier penalty");
    visit("max_outlier", self.max_outlier, or_infinite(above(0)),
          "bound M on the size of an outlier entry");
    visit("nonneg_outliers", self.nonneg_outliers, any_value(), "outliers only add, r ≥ 0");
    visit("outlier_penalty", self.outlier_penalty, any_value(), "penalty on the outliers");
    visit("outlier_groups", self.outlier_groups, any_value(),
          "feature indices of each block of the outlier penalty");
    visit("code_penalty", self.code_penalty, any_value(), "penalty on the codes");
    visit("code_groups", self.code_groups, any_value(),
          "atom indices of each group of the code penalty");
    visit("constraint", self.constraint, any_value(), "set that the atoms live in");
    visit("dictionary_penalty", self.dictionary_penalty, any_value(),
          "λ₁,λ₂ of λ₁‖W‖₁,₁ + λ₂/2‖W‖_F²");
    visit("init", self.init, any_value(), "initial dictionary");
    visit("reseed", self.reseed, any_value(), "replace atoms that no sample uses");
    visit("forget", self.forget, any_value(), "how the past fades");
    visit("batch_size", self.batch_size, at_least(1), "samples per mini-batch τ");
    visit("epochs", self.epochs, at_least(1), "passes over the data");
    visit("shuffle", self.shuffle, any_value(), "visit the samples in random order");
    visit("normalize", self.normalize, any_value(), "scaling of the samples");
    visit("missing", self.missing, any_value(), "NaN marks a missing entry");
    visit("allow_negative", self.allow_negative, any_value(), "accept negative data");
    visit("seed", self.seed, any_value(), "seed of all random numbers");
    visit("threads", self.threads, at_least(0), "threads to use; 0 for all");
  }

  // Every rule that is broken, in words; empty when all is well. F: number of features, when known.
  std::vector<std::string> violations(std::optional<Index> F = {}) const;
  // Throws SettingsError with all of them.
  void validate(std::optional<Index> F = {}) const;

  // The same with every unset field filled in. N: number of samples, when known. An algorithm that
  // needs all samples at once gets the batch size N whatever was set; unset while N is unknown.
  Settings resolved(std::optional<Index> N = {}) const;

  // Sets one field from text, as on a command line: set("constraint", "elastic-net:0.1,0.5").
  void set(std::string_view field, std::string_view value);

  // One flat object in the order of the fields. Missing keys keep their defaults, unknown ones are
  // errors; all of them are in the SettingsError.
  std::string to_json() const;
  static Settings from_json(std::string_view json);
};

// One row per field, for help texts and tables.
struct FieldDescription {
  std::string name;
  std::string default_value;
  std::string allowed;
  std::string help;
};
std::vector<FieldDescription> describe_settings();

// The options of every choice and their parameters, one row each, an option before its parameters.
// `name` is "constraint elastic-net" with `allowed` the form to write (elastic-net:g1,g2) and no
// default, then "constraint elastic-net g1" with the parameter's default and range.
std::vector<FieldDescription> describe_choices();

// The text of docs/settings.md.
std::string settings_markdown();

}  // namespace tamis
