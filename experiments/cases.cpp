#include "experiments/cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/algorithms.hpp"

namespace tamis::experiments {
namespace {

// The text form of the algorithm with its parameters, where the study varies them
std::string with_parameters(const std::string& algorithm, const Variation& v) {
  if (algorithm.ends_with("admm"))
    return fmt::format("{}:rho1={},rho2={},rho3={}", algorithm, v.rho, v.rho, v.rho);
  if (algorithm.ends_with("pgd"))
    return fmt::format("{}:kappa_h={},kappa_w={}", algorithm, v.kappa, v.kappa);
  return algorithm;
}

// `fast` on the study's problem: the same λ, M, mini-batches and running averages as the others.
void set_study_problem(Settings& settings) {
  settings.lambda = LambdaPaper{};
  settings.max_outlier = 1.0;
  settings.forget = ForgetNothing{};
}

}  // namespace

std::string case_id(const std::string& data, const std::string& algorithm, const Variation& v) {
  std::string id = fmt::format("{}-{}{}{}-K{}", data, algorithm, v.own ? "-own" : "",
                               v.literal ? "-literal" : "", v.K);
  if (v.tau) id += fmt::format("-tau{}", *v.tau);
  if (v.setting > 1) id += fmt::format("-s{}", v.setting);
  if (v.rho != 1) id += fmt::format("-rho{}", v.rho);
  if (v.kappa != 0.7) id += fmt::format("-kappa{}", v.kappa);
  if (v.init != "uniform") id += "-" + v.init;
  return id + fmt::format("-r{}", v.run);
}

Case make_case(const Options& options, const std::string& data, const std::string& algorithm,
               const Variation& v) {
  Case made;
  made.data = data;
  made.algorithm = algorithm;
  made.label = algorithm;
  if (v.own) made.label += ", own settings";
  if (v.literal) made.label += ", literal";
  made.setting = v.setting;
  made.run = v.run;
  made.id = case_id(data, algorithm, v);

  Settings& settings = made.settings;
  settings.rank = v.K;
  settings.set("algorithm", with_parameters(algorithm, v));
  settings.set("init", v.init);
  settings.normalize = NormalizeNone{};  // images were scaled before they were contaminated
  settings.seed = options.seed + std::uint64_t(v.run);
  settings.threads = options.threads;
  const Index tau = v.tau.value_or(data_set_info(data).tau);
  if (!is_batch(algorithm) && !v.own) settings.batch_size = tau;
  if (algorithm == "fast" && !v.own) set_study_problem(settings);

  made.varied = {{"K", v.K}, {"init", v.init}};
  if (!is_batch(algorithm)) made.varied["tau"] = settings.resolved().batch_size.value();
  if (v.setting > 0) made.varied["setting"] = v.setting;
  if (algorithm.ends_with("admm")) made.varied["rho"] = v.rho;
  if (algorithm.ends_with("pgd")) made.varied["kappa"] = v.kappa;
  if (algorithm == "fast") made.varied["variant"] = v.own ? "own" : "study";
  if (algorithm == "badmm") made.varied["variant"] = v.literal ? "literal" : "study";
  return made;
}

Settings Case::settings_for(Index N) const {
  Settings found = settings;
  if (auto* badmm = std::get_if<Badmm>(&found.algorithm); badmm && varied["variant"] == "study")
    badmm->rho3 *= double(N);
  return found;
}

std::vector<Case> cases_of(const Options& options, const DataSets& data,
                           const std::vector<std::string>& sets, const Repetitions& runs,
                           Variation variation, Variation of_fast) {
  std::vector<Case> all;
  for (const std::string& set : sets) {
    if (!data.has(set)) continue;
    for (Index run = 0; run < std::max(runs.online, runs.batch); ++run) {
      variation.run = of_fast.run = run;
      for (const std::string& algorithm : chosen(options)) {
        if (run >= (is_batch(algorithm) ? runs.batch : runs.online)) continue;
        all.push_back(make_case(options, set, algorithm, variation));
        if (algorithm == "fast") all.push_back(make_case(options, set, algorithm, of_fast));
      }
    }
  }
  return all;
}

}  // namespace tamis::experiments
