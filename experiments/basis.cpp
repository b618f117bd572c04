// What the atoms look like.
//
// The study: section VII-E, figure 7: basis images learned from CBCL faces ×50 with ν = 0.7, ν̃ =
// 0.1, K = 49, judged by eye: those of ONMF are noisy, those of ORPCA not local, those of the four
// algorithms of the study parts of faces, of similar quality; a larger K makes them sparser.
//
// Not to be taken literally: nothing of that is a number. Here noise is what a 3×3 median takes
// away (speckle), locality the spread of an atom's energy, and being a part Hoyer's sparsity; see
// atom_measures.hpp. K = 25 and 100 are ours.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "experiments/algorithms.hpp"
#include "experiments/atom_measures.hpp"
#include "experiments/basic_run.hpp"
#include "experiments/pictures.hpp"

namespace tamis::experiments {
namespace {

constexpr double noisier = 1.5;     // times the speckle of ours
constexpr double more_local = 0.8;  // at most this share of ORPCA's spread
constexpr double alike = 0.1;       // difference of Hoyer's sparsity
constexpr double sparser = 0.01;    // more of Hoyer's sparsity

const std::vector<Index> ranks = {25, 49, 100};

class Basis final : public Experiment {
 public:
  std::string_view name() const override { return "basis"; }
  std::string_view title() const override { return "Basis images"; }
  std::vector<std::string> data_sets() const override { return {"cbcl"}; }

  std::vector<Case> cases(const Options& options, const DataSets& data) const override {
    std::vector<Case> all;
    for (const Index K : ranks)
      std::ranges::move(cases_of(options, data, {"cbcl"}, runs_of(*this, options), {.K = K},
                                 {.K = K, .own = true}),
                        std::back_inserter(all));
    return all;
  }

  Json run(const Case& chosen, const Workplace& place) const override {
    BasicRun run = fit_case(chosen, place, {}, false);
    const Matrix<float>& W = run.fitted.model.W;
    run.json["measures"].update(atom_measures(W, run.samples.shape));
    run.json["pictures"]["basis"] = save_picture(
        place.folder, chosen.id,
        atoms_picture(W, run.samples.shape, fmt::format("{}, K = {}", chosen.label, W.cols())));
    return run.json;
  }

  void summarize(const Runs& runs, const Workplace&, Summary& summary) const override {
    for (const Json* run : runs.where({{"run", 0}})) {
      const std::string label = (*run)["label"];
      const Index K = (*run)["case"]["K"];
      summary.add_picture((*run)["pictures"]["basis"], fmt::format("{}, K = {}", label, K),
                          label == "orpca" ? "Red is positive, blue negative."
                                           : "Each atom scaled to its own maximum, dark is much.");
    }
    summary.add(table(runs));
    judge_noise(runs, summary);
    judge_locality(runs, summary);
    judge_likeness(runs, summary);
    judge_rank(runs, summary);
  }

 private:
  static double mean(const Runs& runs, const char* measure, const std::string& label, Index K) {
    return runs.mean(measure, {{"label", label}, {"K", K}});
  }

  static Table table(const Runs& runs) {
    Table table{
        "atoms",
        "Atoms in numbers",
        "Hoyer: 0 all entries equal, 1 a single one. Spread: 1 for energy everywhere. Speckle: "
        "what a 3×3 median takes away. Means over the runs.",
        {"algorithm", "K", "hoyer", "spread", "speckle", "negative share", "seconds"}};
    for (const std::string& label : runs.labels())
      for (const Index K : ranks) {
        if (runs.first({{"label", label}, {"K", K}}) == nullptr) continue;
        std::vector<Json> row{label, K};
        for (const char* measure : {"hoyer", "spread", "speckle", "negative_share", "seconds"})
          row.push_back(cell(mean(runs, measure, label, K)));
        table.rows.push_back(row);
      }
    return table;
  }

  static void judge_noise(const Runs& runs, Summary& summary) {
    Claim claim("onmf-basis-noisy", "ONMF's basis images keep much salt-and-pepper noise.",
                "section VII-E, figure 7",
                fmt::format("speckle at least {} times that of ours", noisier));
    for (const Index K : ranks)
      for (const std::string& ours : of_the_study) {
        const double ratio = mean(runs, "speckle", "onmf", K) / mean(runs, "speckle", ours, K);
        claim.check(fmt::format("K={}: onmf/{}", K, ours), ratio, ratio >= noisier);
      }
    summary.add(claim);
  }

  static void judge_locality(const Runs& runs, Summary& summary) {
    Claim claim("orpca-basis-not-local",
                "ORPCA's basis images are not local; ours are parts, much more local.",
                "section VII-E, figure 7",
                fmt::format("our spread at most {} of ORPCA's, Hoyer's sparsity at least {} above",
                            more_local, sparser));
    for (const Index K : ranks)
      for (const std::string& ours : of_the_study) {
        const double ratio = mean(runs, "spread", ours, K) / mean(runs, "spread", "orpca", K);
        claim.check(fmt::format("K={}: spread {}/orpca", K, ours), ratio, ratio <= more_local);
        const double gain = mean(runs, "hoyer", ours, K) - mean(runs, "hoyer", "orpca", K);
        claim.check(fmt::format("K={}: hoyer {} − orpca", K, ours), gain, gain >= sparser);
      }
    summary.add(claim);
  }

  static void judge_likeness(const Runs& runs, Summary& summary) {
    Claim claim("bases-alike", "The bases of the study's four algorithms are of similar quality.",
                "section VII-E, figure 7",
                fmt::format("Hoyer's sparsity differs by at most {}", alike));
    for (const Index K : ranks)
      for (const auto& [a, b] :
           {std::pair{"opgd", "oadmm"}, {"opgd", "bpgd"}, {"oadmm", "badmm"}, {"bpgd", "badmm"}}) {
        const double difference = mean(runs, "hoyer", a, K) - mean(runs, "hoyer", b, K);
        claim.check(fmt::format("K={}: {} − {}", K, a, b), difference,
                    std::abs(difference) <= alike);
      }
    summary.add(claim);
  }

  static void judge_rank(const Runs& runs, Summary& summary) {
    Claim claim("larger-rank-sparser", "The larger K, the sparser the basis images.",
                "section VII-E",
                fmt::format("Hoyer's sparsity grows by at least {} from K to K", sparser));
    for (std::size_t i = 1; i < ranks.size(); ++i) {
      const auto gain = [&](const std::string& label) {
        return mean(runs, "hoyer", label, ranks[i]) - mean(runs, "hoyer", label, ranks[i - 1]);
      };
      const std::string step = fmt::format("K={} − K={}", ranks[i], ranks[i - 1]);
      for (const std::string& label : of_the_study)
        claim.check(fmt::format("{}: {}", label, step), gain(label), gain(label) >= sparser);
      claim.note("fast: " + step, gain("fast"));
    }
    summary.add(claim);
  }
};

}  // namespace

const Experiment& basis() {
  static const Basis experiment;
  return experiment;
}

}  // namespace tamis::experiments
