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
constexpr double far_more = 2;            // times the online one's slowdown
constexpr double steady = 0.05;           // largest rise, relative to the last value
constexpr double significant_time = 0.8;  // accelerated by plain

// Largest by smallest of a measure over the values of a sweep; NaN if some are missing.
double ratio_over(const SweepRuns& runs, const std::string& measure, const std::string& set,
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

bool all_fall(const SweepRuns& runs, const std::string& set, const std::string& algorithm,
              const Sweep& sweep) {
  return std::ranges::all_of(sweep.values, [&](const Sweep::Value& value) {
    return falls(runs.objective(set, algorithm, value.variation));
  });
}

// speed: the measure that tells when a run has settled
void judge_insensitive(const SweepRuns& runs, const std::string& parameter,
                       const std::vector<std::string>& algorithms, const std::string& speed,
                       bool same_problem, Claim claim, Summary& summary) {
  const Sweep& sweep = sweep_of(parameter);
  for (const std::string& set : sensitivity_sets) {
    for (const std::string& name : algorithms) {
      const double settled = ratio_over(runs, speed, set, name, sweep);
      if (!std::isnan(settled) && !all_fall(runs, set, name, sweep))
        claim.leave_out(no_fall);
      else
        claim.check(fmt::format("{} {}: settling", set, name), settled, settled <= same_speed);
      const double objective = ratio_over(runs, "objective", set, name, sweep);
      const std::string what = fmt::format("{} {}: objective", set, name);
      if (same_problem)
        claim.check(what, objective, objective <= same_objective);
      else
        claim.note(what, objective);
    }
    for (const std::string measure : {"settled_seconds", "settled_samples", "objective"})
      claim.note(fmt::format("{} fast: {}", set, measure),
                 ratio_over(runs, measure, set, "fast", sweep));
  }
  summary.add(claim);
}

// A varied run beside the canonical one
struct Slowed {
  double time = NAN;  // to the canonical run's end by the canonical time; if not reached, all of it
  bool arrives = false;
  double excess = NAN;  // of the last value, relative to the canonical one
};

Slowed slowed(const SweepRuns& runs, const std::string& set, const std::string& algorithm,
              const Variation& variation) {
  const Curve canonical = runs.objective(set, algorithm, {});
  const Curve varied = runs.objective(set, algorithm, variation);
  if (canonical.empty() || varied.empty()) return {};
  const double level = near_the_end * canonical.value.back();
  const double reached = seconds_to_reach(varied, level);
  const bool arrives = !std::isnan(reached);
  return {(arrives ? reached : varied.seconds.back()) / seconds_to_reach(canonical, level), arrives,
          varied.value.back() / canonical.value.back() - 1};
}

// How far from the canonical end they stop says more than times where neither gets there, or where
// the online one was there from the beginning.
void compare_slowdown(const std::string& at, const Slowed& online_one, const Slowed& batch_one,
                      bool timed, Claim& claim) {
  if (timed && online_one.arrives && batch_one.arrives) {
    const double ratio = batch_one.time / online_one.time;
    claim.check(at + ": slowdown batch/online", ratio, ratio >= far_more);
  } else if (timed && online_one.arrives != batch_one.arrives) {
    const Slowed& lost = online_one.arrives ? batch_one : online_one;
    claim.check(fmt::format("{}: only the {} one never there, its end above the canonical", at,
                            online_one.arrives ? "batch" : "online"),
                lost.excess, online_one.arrives);
  } else {
    const double ratio = batch_one.excess / std::max(online_one.excess, 1e-3);
    claim.check(at + ": end above the canonical, batch/online", ratio, ratio >= far_more);
  }
}

void judge_slowdown(const SweepRuns& runs, const std::string& parameter, const std::string& ours,
                    const std::string& theirs, Claim claim, Summary& summary) {
  for (const std::string& set : sensitivity_sets)
    for (const Sweep::Value& value : sweep_of(parameter).values) {
      const bool canonical = value.variation.rho == 1 && value.variation.kappa == 0.7;
      if (canonical || value.variation.kappa > 0.7) continue;
      const Slowed online_one = slowed(runs, set, ours, value.variation);
      const Slowed batch_one = slowed(runs, set, theirs, value.variation);
      const std::string at = fmt::format("{} {}={}", set, parameter, value.text);
      compare_slowdown(at, online_one, batch_one, falls(runs.objective(set, ours, {})), claim);
      for (const auto& [name, one] : {std::pair{ours, online_one}, {theirs, batch_one}}) {
        claim.note(fmt::format("{}: time of {}, times the canonical", at, name), one.time);
        claim.note(fmt::format("{}: end of {} above the canonical", at, name), one.excess);
      }
    }
  summary.add(claim);
}

void judge_density(const SweepRuns& runs, Summary& summary) {
  Claim claim("denser-outliers-steady",
              "With more and denser outliers the online algorithms still converge steadily.",
              "section VII-D4, figures 6 and 15",
              fmt::format("neither f̃ nor f̂ rises by more than {:.0f} % after the first tenth of "
                          "the samples",
                          100 * steady));
  for (const std::string& set : sensitivity_sets)
    for (const int setting : {2, 3})
      for (const auto& [curve, symbol] : {std::pair{"objective", "f̃"}, {"clean_objective", "f̂"}}) {
        const auto rise = [&, curve = curve](const std::string& name) {
          return largest_rise(runs.curve(curve, set, name, {.setting = setting}));
        };
        const std::string where = fmt::format("{}, setting {}, {}", set, setting, symbol);
        for (const std::string& name : our_online)
          claim.check(fmt::format("{}: {}", where, name), rise(name), rise(name) <= steady);
        claim.note(where + ": fast", rise("fast"));
      }
  summary.add(claim);
}

void judge_nesterov(const SweepRuns& runs, Summary& summary) {
  Claim claim(
      "nesterov-no-gain",
      "Nesterov's acceleration of the gradient steps does not shorten the running times.",
      "remark 2 (section IV-A)",
      fmt::format("by the study's stopping rule, at least {} of the plain time", significant_time));
  for (const std::string& set : sensitivity_sets) {
    const Json* run = runs.all().first({{"id", set + "-nesterov"}});
    if (run == nullptr) continue;
    const auto ratio = [&](const std::string& measure) {
      return measure_of(*run, measure + "_accelerated") / measure_of(*run, measure + "_plain");
    };
    claim.check(set + ": time accelerated/plain", ratio("stopped_seconds"),
                ratio("stopped_seconds") >= significant_time);
    claim.note(set + ": loss accelerated/plain", ratio("stopped_loss"));
    for (const int k : {5, 10, 20, 50})
      claim.note(fmt::format("{}: loss after {} iterations, accelerated/plain", set, k),
                 measure_of(*run, fmt::format("loss_accelerated_{}", k)) /
                     measure_of(*run, fmt::format("loss_plain_{}", k)));
  }
  summary.add(claim);
}

}  // namespace

void judge_sensitivity(const SweepRuns& runs, Summary& summary) {
  const std::string times = fmt::format("settling times within a factor {}", same_speed);
  const std::string both =
      fmt::format("{}, last objectives within {:.0f} %", times, 100 * (same_objective - 1));
  judge_insensitive(runs, "tau", our_online, "settled_seconds", true,
                    {"insensitive-to-tau", "τ from 5 to 40 hardly changes how fast they converge.",
                     "section VII-D3, figures 2 and 11", both},
                    summary);
  // A sample costs more with a larger K, whatever the algorithm.
  judge_insensitive(runs, "K", of_the_study, "settled_samples", false,
                    {"insensitive-to-rank", "K hardly changes how fast they converge.",
                     "section VII-D3, figures 3 and 12",
                     fmt::format("samples until they settle within a factor {}", same_speed)},
                    summary);
  judge_insensitive(
      runs, "init", our_online, "settled_seconds", true,
      {"insensitive-to-init", "The distribution of W₀ hardly matters.", "section VII-B1", both},
      summary);
  const std::string rule = fmt::format(
      "the batch one slowed down at least {} times as much, or never there when the online one is; "
      "where times say nothing, its end at least {} times as far above the canonical one",
      far_more, far_more);
  judge_slowdown(runs, "rho", "oadmm", "badmm",
                 {"rho-slows-batch-more", "A larger ρ slows BADMM far more than OADMM.",
                  "section VII-D3, figures 4 and 13", rule},
                 summary);
  judge_slowdown(runs, "kappa", "opgd", "bpgd",
                 {"kappa-slows-batch-more", "A smaller κ slows BPGD far more than OPGD.",
                  "section VII-D3, figures 5 and 14", rule},
                 summary);
  judge_density(runs, summary);
  judge_nesterov(runs, summary);
}

}  // namespace tamis::experiments
