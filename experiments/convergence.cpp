// The objective against time and against samples.
//
// The study: section VII-D, figure 1 (synthetic set, F = 400, K° = 49, N = 10⁵) and figure 10 of
// the supplement (CBCL faces ×50); ν = 0.7, ν̃ = 0.1, the canonical setting. Part (a) compares the
// online algorithms with the batch ones by f̃_t, part (b) with other online ones by f̂_t, the error
// of reconstructing the clean data with the codes found on arrival.
//
// Not to be taken literally: "converges" is read off a plot there. Here two curves are compared by
// the time they need to a level that both reach; a curve has settled when it stays within 10 % of
// its last value; one that ends where it began is not compared. f̃_t of an online algorithm is a
// mean over all samples so far, early bad codes included, so it is slower than the dictionary.
// `fast` is shown on the study's problem (λ, M, τ, running average) and, where f̂_t is compared,
// also with its own settings, whose f̃_t is another function.
//
// BADMM with ρ₃ = 1 beside A = HHᵀ, a sum over all samples, hardly binds W to its feasible copy Ψ:
// the unbound W fits well, but Ψ swings and is of no use ("literal" in the table). The study says
// that the penalty parameters had the values of the online algorithms, where A is a mean; so ρ₃ is
// N times as large here, which binds W as OADMM does. Both are shown, the others of the experiments
// use only the second.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "experiments/algorithms.hpp"
#include "experiments/basic_run.hpp"
#include "experiments/json_number.hpp"

namespace tamis::experiments {
namespace {

constexpr double much_faster = 0.5;     // at most this share of the other's time
constexpr double near_the_end = 1.1;    // times the last value of the online one
constexpr double slightly_seconds = 1;  // ORPCA's lead
constexpr double fluctuation = 0.05;    // rise of f̂ relative to its last value
constexpr double same_speed = 2;        // factor between settling times

const std::vector<std::string> sets = {"synthetic", "cbcl"};

class Convergence final : public Experiment {
 public:
  std::string_view name() const override { return "convergence"; }
  std::string_view title() const override { return "Objective against time and samples"; }
  std::vector<std::string> data_sets() const override { return sets; }

  std::vector<Case> cases(const Options& options, const DataSets& data) const override {
    std::vector<Case> all;
    for (const std::string& set : sets) {
      std::ranges::move(cases_of(options, data, {set}, runs_of(*this, options), {}, {.own = true}),
                        std::back_inserter(all));
      if (data.has(set) && !chosen(options, {"badmm"}).empty())
        all.push_back(make_case(options, set, "badmm", {.literal = true}));
    }
    return all;
  }

  Json run(const Case& chosen, const Workplace& place) const override {
    BasicRun run = fit_case(chosen, place, {.clean_curve = !is_batch(chosen.algorithm)});
    run.json["measures"]["psnr"] = number_or_null(arrival_psnr(run.samples, run.fitted));
    return run.json;
  }

  void summarize(const Runs& runs, const Workplace& place, Summary& summary) const override {
    for (const std::string& set : sets) {
      if (!place.data.has(set)) continue;
      draw(runs, set, summary);
      summary.add(table(runs, set));
    }
    judge_batch(runs, summary);
    judge_orpca(runs, summary);
    judge_onmf(runs, summary);
    judge_smoothness(runs, summary);
  }

 private:
  static Filter study(const std::string& set, const std::string& algorithm) {
    Filter filter{{"data", set}, {"algorithm", algorithm}, {"run", 0}};
    if (algorithm == "fast" || algorithm == "badmm") filter.emplace_back("variant", "study");
    return filter;
  }

  static void draw(const Runs& runs, const std::string& set, Summary& summary) {
    const std::string title(data_set_info(set).title);
    std::vector<Summary::Line> with_batch, online_only;
    for (const std::string& name : online_and_batch)
      with_batch.push_back({runs.first(study(set, name)), name});
    if (const Json* literal = runs.first({{"data", set}, {"variant", "literal"}}))
      with_batch.push_back({literal, (*literal)["label"]});
    for (const Json* run : runs.where({{"data", set}, {"run", 0}}))
      online_only.push_back({run, (*run)["label"]});
    summary.add(
        {set + "-online-batch", title + ": online and batch", set, "objective",
         "Surrogate objective of the online algorithms, objective divided by N of the batch "
         "ones."},
        with_batch);
    summary.add({set + "-online", title + ": online algorithms", set, "clean_objective",
                 "Error of reconstructing the clean data with the codes found on arrival."},
                online_only);
  }

  static Table table(const Runs& runs, const std::string& set) {
    Table table{
        set + "-convergence",
        fmt::format("{}: how they converge", data_set_info(set).title),
        "Settled: from when on the objective stays within 10 % of its last value and of its range. "
        "Means over the runs.",
        {"algorithm", "objective", "clean objective", "settled seconds", "settled samples",
         "seconds", "roughness", "psnr"}};
    for (const std::string& label : runs.labels({{"data", set}})) {
      std::vector<Json> row{label};
      for (const char* measure : {"objective", "clean_objective", "settled_seconds",
                                  "settled_samples", "seconds", "roughness", "psnr"})
        row.push_back(cell(runs.mean(measure, {{"data", set}, {"label", label}})));
      table.rows.push_back(row);
    }
    return table;
  }

  static void judge_batch(const Runs& runs, Summary& summary) {
    Claim claim(
        "online-faster-than-batch",
        "The online algorithms converge much faster than their batch counterparts.",
        "section VII-D, figures 1(a) and 10(a)",
        fmt::format("time to within 10 % of the online one's end at most {} of the batch one's",
                    much_faster));
    for (const std::string& set : sets) {
      for (const auto& [ours, theirs] : {std::pair{"opgd", "bpgd"}, {"oadmm", "badmm"}}) {
        const Curve a = runs.curve("objective", study(set, ours));
        const Curve b = runs.curve("objective", study(set, theirs));
        const double ratio = time_ratio(a, b);
        if (!a.empty() && !falls(a))
          claim.leave_out(no_fall);
        else
          claim.check(fmt::format("{}: {}/{}", set, ours, theirs), ratio, ratio <= much_faster);
      }
      for (const char* theirs : {"bpgd", "badmm"})
        claim.note(fmt::format("{}: fast/{}", set, theirs),
                   time_ratio(runs.curve("objective", study(set, "fast")),
                              runs.curve("objective", study(set, theirs))));
    }
    summary.add(claim);
  }

  // The time that a needs to its end by that of b, all of it if it does not get there
  static double time_ratio(const Curve& a, const Curve& b) {
    if (a.empty() || b.empty()) return std::nan("");
    const double level = near_the_end * a.value.back();
    const double reached = seconds_to_reach(b, level);
    return seconds_to_reach(a, level) / (std::isnan(reached) ? b.seconds.back() : reached);
  }

  static double settled_seconds(const Curve& curve) {
    return curve.empty() ? std::nan("") : curve.seconds[std::size_t(settled_at(curve))];
  }

  static void judge_orpca(const Runs& runs, Summary& summary) {
    Claim claim(
        "orpca-slightly-faster",
        "ORPCA converges slightly faster than the online algorithms, by less than a second.",
        "section VII-D, figures 1(b) and 10(b)",
        fmt::format("its f̂ settles up to {} s earlier", slightly_seconds));
    for (const std::string& set : sets)
      for (const std::string& ours : our_online) {
        const double lead = settled_seconds(runs.curve("clean_objective", study(set, ours))) -
                            settled_seconds(runs.curve("clean_objective", study(set, "orpca")));
        claim.check(fmt::format("{}: {} − orpca, seconds", set, ours), lead,
                    lead >= 0 && lead < slightly_seconds);
      }
    summary.add(claim);
  }

  static void judge_onmf(const Runs& runs, Summary& summary) {
    Claim claim(
        "onmf-does-not-converge", "ONMF does not converge, because it cannot handle the outliers.",
        "section VII-D, figures 1(b) and 10(b)",
        fmt::format("after a tenth of the samples its f̂ rises by {:.0f} % of its last value or "
                    "more",
                    100 * fluctuation));
    for (const std::string& set : sets) {
      const double rise = largest_rise(runs.curve("clean_objective", study(set, "onmf")));
      claim.check(set + ": rise of onmf", rise, rise >= fluctuation);
      for (const std::string& ours : our_online) {
        claim.note(fmt::format("{}: rise of {}", set, ours),
                   largest_rise(runs.curve("clean_objective", study(set, ours))));
        claim.note(fmt::format("{}: last f̂ onmf/{}", set, ours),
                   runs.mean("clean_objective", study(set, "onmf")) /
                       runs.mean("clean_objective", study(set, ours)));
      }
    }
    summary.add(claim);
  }

  static void judge_smoothness(const Runs& runs, Summary& summary) {
    Claim claim(
        "oadmm-smoother-same-speed",
        "OADMM's objective falls more smoothly than OPGD's; their speeds are almost the same.",
        "section VII-D, figures 1 and 10",
        fmt::format("of f̃ and of f̂: roughness of oadmm below opgd's, settling times within a "
                    "factor {}",
                    same_speed));
    for (const std::string& set : sets)
      for (const auto& [name, symbol] : {std::pair{"objective", "f̃"}, {"clean_objective", "f̂"}}) {
        const Curve oadmm = runs.curve(name, study(set, "oadmm"));
        const Curve opgd = runs.curve(name, study(set, "opgd"));
        if (oadmm.empty() || opgd.empty()) continue;
        if (!falls(oadmm) || !falls(opgd)) {
          claim.leave_out(no_fall, 2);
          continue;
        }
        const double rough = roughness(oadmm) / roughness(opgd);
        claim.check(fmt::format("{}: roughness of {}", set, symbol), rough, rough < 1);
        const double time = settled_seconds(oadmm) / settled_seconds(opgd);
        claim.check(fmt::format("{}: settling time of {}", set, symbol), time,
                    time <= same_speed && time >= 1 / same_speed);
      }
    summary.add(claim);
  }
};

}  // namespace

const Experiment& convergence() {
  static const Convergence experiment;
  return experiment;
}

}  // namespace tamis::experiments
