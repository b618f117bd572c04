// What the sweeps say about the study's claims.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/algorithms.hpp"
#include "experiments/sensitivity.hpp"

namespace tamis::experiments {
namespace {

constexpr double same_objective = 1.1;    // largest by smallest last value
constexpr double same_speed = 3;          // largest by smallest settling time
constexpr double near_the_end = 1.1;      // times the last value of the canonical run
constexpr double far_slower = 2;          // times the online one's slowdown
constexpr double steady = 0.05;           // largest rise, relative to the last value
constexpr double transient = 0.1;         // share of the samples that is not looked at for that
constexpr double significant_time = 0.8;  // accelerated by plain
constexpr double significant_loss = 0.95;

// Largest by smallest of a measure over the values of a sweep; NaN if some are missing.
double ratio_over(const SweepRuns& runs, const char* measure, const std::string& set,
                  const std::string& algorithm, const Sweep& sweep) {
  double least = INFINITY, most = 0;
  for (const Sweep::Value& value : sweep.values) {
    const double x = runs.measure(measure, set, algorithm, value.variation);
    if (std::isnan(x)) return x;
    least = std::min(least, x);
    most = std::max(most, x);
  }
  return most / least;
}

void judge_insensitive(const SweepRuns& runs, const std::string& parameter,
                       const std::vector<std::string>& algorithms, bool same_problem, Claim claim,
                       Summary& summary) {
  const Sweep& sweep = sweep_of(parameter);
  for (const std::string& set : sensitivity_sets)
    for (const std::string& name : algorithms) {
      const double speed = ratio_over(runs, "settled_seconds", set, name, sweep);
      claim.check(fmt::format("{} {}: settling times", set, name), speed, speed <= same_speed);
      const double objective = ratio_over(runs, "objective", set, name, sweep);
      if (same_problem)
        claim.check(fmt::format("{} {}: objective", set, name), objective,
                    objective <= same_objective);
      else
        claim.note(fmt::format("{} {}: objective", set, name), objective);
    }
  summary.add(claim);
}

// Time to the canonical run's end by time of the canonical run itself; a run that never gets there
// counts with all its time.
double slowdown(const SweepRuns& runs, const std::string& set, const std::string& algorithm,
                const Variation& variation) {
  const Curve canonical = runs.objective(set, algorithm, {});
  const Curve varied = runs.objective(set, algorithm, variation);
  if (canonical.empty() || varied.empty()) return std::nan("");
  const double level = near_the_end * canonical.value.back();
  const double reached = seconds_to_reach(varied, level);
  return (std::isnan(reached) ? varied.seconds.back() : reached) /
         seconds_to_reach(canonical, level);
}

void judge_slowdown(const SweepRuns& runs, const std::string& parameter, const std::string& ours,
                    const std::string& theirs, Claim claim, Summary& summary) {
  for (const std::string& set : sensitivity_sets)
    for (const Sweep::Value& value : sweep_of(parameter).values) {
      const bool canonical = value.variation.rho == 1 && value.variation.kappa == 0.7;
      if (canonical || value.variation.kappa > 0.7) continue;
      const double online_one = slowdown(runs, set, ours, value.variation);
      const double batch_one = slowdown(runs, set, theirs, value.variation);
      const std::string at = fmt::format("{} {}={}", set, parameter, value.text);
      claim.check(at + ": slowdown batch/online", batch_one / online_one,
                  batch_one >= far_slower * online_one);
      claim.note(fmt::format("{}: slowdown of {}", at, ours), online_one);
      claim.note(fmt::format("{}: slowdown of {}", at, theirs), batch_one);
    }
  summary.add(claim);
}

// The largest rise above what was reached before, after the transient
double largest_rise(const Curve& curve) {
  if (curve.empty()) return std::nan("");
  double least = INFINITY, rise = 0;
  for (std::size_t i = 0; i < curve.value.size(); ++i) {
    if (double(curve.samples[i]) < transient * double(curve.samples.back())) continue;
    least = std::min(least, curve.value[i]);
    rise = std::max(rise, curve.value[i] - least);
  }
  return rise / curve.value.back();
}

void judge_density(const SweepRuns& runs, Summary& summary) {
  Claim claim(
      "denser-outliers-steady",
      "With more and denser outliers the online algorithms still converge steadily.",
      "section VII-D4, figures 6 and 15",
      fmt::format("no rise of the objective by more than {:.0f} % after the first {:.0f} % of "
                  "the samples",
                  100 * steady, 100 * transient));
  for (const std::string& set : sensitivity_sets)
    for (const char* name : {"fast", "opgd", "oadmm"})
      for (const int setting : {2, 3}) {
        const double rise = largest_rise(runs.objective(set, name, {.setting = setting}));
        claim.check(fmt::format("{} {}: setting {}", set, name, setting), rise, rise <= steady);
      }
  summary.add(claim);
}

void judge_nesterov(const SweepRuns& runs, Summary& summary) {
  Claim claim(
      "nesterov-no-gain",
      "Nesterov's acceleration of the gradient steps brings no significant gain.",
      "remark 1 (section IV-A)",
      fmt::format("by the study's stopping rule, at least {} of the plain time and {} of the "
                  "plain loss",
                  significant_time, significant_loss));
  for (const std::string& set : sensitivity_sets) {
    const Json* run = runs.all().first({{"id", set + "-nesterov"}});
    if (run == nullptr) continue;
    const auto ratio = [&](const std::string& measure) {
      return measure_of(*run, measure + "_accelerated") / measure_of(*run, measure + "_plain");
    };
    claim.check(set + ": time accelerated/plain", ratio("stopped_seconds"),
                ratio("stopped_seconds") >= significant_time);
    claim.check(set + ": loss accelerated/plain", ratio("stopped_loss"),
                ratio("stopped_loss") >= significant_loss);
    for (const int k : {5, 10, 20, 50})
      claim.note(fmt::format("{}: loss after {} iterations, accelerated/plain", set, k),
                 measure_of(*run, fmt::format("loss_accelerated_{}", k)) /
                     measure_of(*run, fmt::format("loss_plain_{}", k)));
  }
  summary.add(claim);
}

}  // namespace

void judge_sensitivity(const SweepRuns& runs, Summary& summary) {
  const std::vector<std::string> ours = {"fast", "opgd", "oadmm"};
  const std::string speeds = fmt::format("settling times within a factor {}", same_speed);
  const std::string both =
      fmt::format("{}, last objectives within {:.0f} %", speeds, 100 * (same_objective - 1));
  judge_insensitive(runs, "tau", ours, true,
                    {"insensitive-to-tau", "τ from 5 to 40 hardly changes how fast they converge.",
                     "section VII-D3, figures 2 and 11", both},
                    summary);
  judge_insensitive(runs, "K", online_and_batch, false,
                    {"insensitive-to-rank", "K hardly changes how fast they converge.",
                     "section VII-D3, figures 3 and 12", speeds},
                    summary);
  judge_insensitive(
      runs, "init", ours, true,
      {"insensitive-to-init", "The distribution of W₀ hardly matters.", "section VII-B1", both},
      summary);
  judge_slowdown(runs, "rho", "oadmm", "badmm",
                 {"rho-slows-batch-more", "A larger ρ slows BADMM far more than OADMM.",
                  "section VII-D3, figures 4 and 13",
                  fmt::format("BADMM's slowdown at least {} times OADMM's", far_slower)},
                 summary);
  judge_slowdown(runs, "kappa", "opgd", "bpgd",
                 {"kappa-slows-batch-more", "A smaller κ slows BPGD far more than OPGD.",
                  "section VII-D3, figures 5 and 14",
                  fmt::format("BPGD's slowdown at least {} times OPGD's", far_slower)},
                 summary);
  judge_density(runs, summary);
  judge_nesterov(runs, summary);
}

}  // namespace tamis::experiments
