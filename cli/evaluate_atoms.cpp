// tamis evaluate atoms: which learned part stands for which true one, and how similar they are.
#include "evaluate_measures.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "common.hpp"
#include "io/formats.hpp"
#include "report.hpp"
#include "settings/text.hpp"
#include "tamis/error.hpp"
#include "tamis/evaluate.hpp"
#include "tamis/io/reader.hpp"

namespace tamis {
namespace {

struct AtomFlags {
  Common common;
  std::string truth, learned, ignored;
  double alike = 0.9;
};

// More are data, not a dictionary; matching them would take for ever.
constexpr Index most_atoms = 4096;

// A model is read by the name of the array in it.
std::unique_ptr<Reader<double>> open_atoms(const std::string& path) {
  if (has_ending(path, {".h5", ".hdf5"})) {
    try {
      return open_reader<double>(path + ":/W");
    } catch (const FileError&) {
      // Not a model, then; if it cannot be read at all, that is said below.
    }
  }
  return open_reader<double>(path);
}

Matrix<double> load_atoms(const std::string& path) {
  const std::unique_ptr<Reader<double>> reader = open_atoms(path);
  Matrix<double> W(reader->format().features(), 0);
  constexpr Index rows_at_once = 64;
  for (;;) {
    const Index K = W.cols();
    W.conservativeResize(Eigen::NoChange, K + rows_at_once);
    const Index n = reader->read(W.rightCols(rows_at_once));
    W.conservativeResize(Eigen::NoChange, K + n);
    if (n == 0) return W;
    if (W.cols() > most_atoms)
      throw DataError(fmt::format("{}: has more than {} rows; a dictionary has one row per atom",
                                  path, most_atoms));
  }
}

std::vector<Index> parse_indices(const std::string& text) {
  Groups groups;
  text::read("--ignore", text, groups);
  if (groups.size() > 1) throw SettingsError("--ignore takes one list of features: 3,4,7");
  return groups.empty() ? std::vector<Index>{} : groups.front();
}

std::string in_words(const AtomMatch& match, const AtomFlags& flags) {
  const Index K = match.cosine.size();
  std::string text = fmt::format(
      "mean cosine {:.4f}  mean correlation {:.4f}  {} of {} atoms found (cosine at least {})\n",
      match.mean(), match.mean_correlation(), match.recovered(flags.alike), K, flags.alike);
  text += fmt::format("{:>8}{:>10}{:>10}{:>13}\n", "true", "learned", "cosine", "correlation");
  for (Index k = 0; k < K; ++k) {
    const Index partner = match.learned[std::size_t(k)];
    text += fmt::format("{:>8}{:>10}{:>10.4f}{:>13.4f}\n", k,
                        partner < 0 ? "none" : fmt::to_string(partner), match.cosine[k],
                        match.correlation[k]);
  }
  return text;
}

Json as_json(const AtomMatch& match, const AtomFlags& flags) {
  Json pairs = Json::array();
  for (Index k = 0; k < match.cosine.size(); ++k) {
    const Index partner = match.learned[std::size_t(k)];
    pairs.push_back({{"true", k},
                     {"learned", partner < 0 ? Json() : Json(partner)},
                     {"cosine", match.cosine[k]},
                     {"correlation", match.correlation[k]}});
  }
  return {{"status", "completed"},
          {"truth", flags.truth},
          {"learned", flags.learned},
          {"mean_cosine", match.mean()},
          {"mean_correlation", match.mean_correlation()},
          {"least_cosine", flags.alike},
          {"found", match.recovered(flags.alike)},
          {"atoms", match.cosine.size()},
          {"pairs", pairs}};
}

void run_atoms(const AtomFlags& flags) {
  const Matrix<double> truth = load_atoms(flags.truth);
  const Matrix<double> learned = load_atoms(flags.learned);
  if (truth.rows() != learned.rows())
    throw DataError(fmt::format("{} and {} cannot be compared: atoms of {} features and of {}",
                                flags.truth, flags.learned, truth.rows(), learned.rows()));
  const AtomMatch match = match_atoms<double>(truth, learned, parse_indices(flags.ignored));
  print_result(flags.common, as_json(match, flags), in_words(match, flags));
}

}  // namespace

void add_evaluate_atoms(CLI::App& group) {
  const auto flags = std::make_shared<AtomFlags>();
  CLI::App* command =
      add_command(group, "atoms", "How similar a learned dictionary is to the true one",
                  "tamis evaluate atoms truth/dictionary.npy model.h5", flags->common);
  const std::string kinds = "a model, or an array with one row per atom";
  command->add_option("TRUTH", flags->truth, "True dictionary: " + kinds)->required();
  command->add_option("LEARNED", flags->learned, "Learned dictionary: " + kinds)->required();
  command->add_option("--alike", flags->alike, "Cosine from which an atom counts as found")
      ->type_name("x")
      ->capture_default_str()
      ->group("Measure");
  command->add_option("--ignore", flags->ignored, "Features to leave out: 3,4,7")
      ->type_name("LIST")
      ->group("Measure");
  command->callback([flags] { run_atoms(*flags); });
}

}  // namespace tamis
