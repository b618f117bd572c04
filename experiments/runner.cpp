#include "experiments/runner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/algorithms.hpp"
#include "experiments/files.hpp"
#include "experiments/json_number.hpp"
#include "experiments/machine.hpp"
#include "interrupt.hpp"
#include "tamis/error.hpp"
#include "tamis/version.hpp"

namespace tamis::experiments {
namespace {

constexpr int recipe = 1;  // to be increased when the same case would give other numbers

// What has to be equal for a run not to be repeated. The version is not in it: a later one goes on.
Json key_of(const Case& chosen, const Options& options) {
  return {{"id", chosen.id},           {"data", chosen.data},
          {"setting", chosen.setting}, {"scale", options.scale},
          {"data_seed", options.seed}, {"settings", Json::parse(chosen.settings.to_json())},
          {"recipe", recipe}};
}

Json missing_data(const Experiment& experiment, const DataSets& data) {
  Json missing = Json::array();
  for (const std::string& name : experiment.data_sets())
    if (!data.has(name)) missing.push_back({{"data", name}, {"why", data.advice(name)}});
  return missing;
}

class Runner {
 public:
  Runner(const Experiment& experiment, const Options& options, const Common& common, DataSets& data,
         bool or_nothing)
      : experiment_(experiment),
        place_{options, common, data, std::filesystem::path(options.out) / experiment.name(), {}},
        missing_(missing_data(experiment, data)),
        cases_(experiment.cases(options, data)) {
    if (cases_.empty() && !or_nothing) refuse();
    make_folder(place_.folder / "runs");
    make_folder(place_.folder / "pictures");
  }

  Json run() {
    for (const Json& one : missing_)
      say(place_.common,
          fmt::format("{}: without {}. {}", experiment_.name(), one["data"].get<std::string>(),
                      one["why"].get<std::string>()));
    std::vector<Json> runs;
    for (const Case& chosen : cases_) runs.push_back(run_or_read(chosen, Index(runs.size())));
    return summarize(Runs(std::move(runs)));
  }

 private:
  [[noreturn]] void refuse() const {
    if (missing_.empty())
      throw SettingsError(fmt::format("experiment {} has nothing to do with --only {}",
                                      experiment_.name(), fmt::join(place_.options.only, ",")));
    std::vector<std::string> why;
    for (const Json& one : missing_) why.push_back(one["why"]);
    throw DataError(fmt::format("experiment {}: {}", experiment_.name(), fmt::join(why, "; ")));
  }

  Json run_or_read(const Case& chosen, Index done) {
    const auto path = place_.folder / "runs" / (chosen.id + ".json");
    const Json key = key_of(chosen, place_.options);
    if (auto before = read_json(path); before && before->value("key", Json()) == key)
      return std::move(*before);
    if (interrupt_requested()) stopped(done);
    place_.title =
        fmt::format("{} {}/{} {}", experiment_.name(), done + 1, cases_.size(), chosen.id);
    Json run = describe(chosen);
    try {
      run.update(experiment_.run(chosen, place_));
    } catch (const Interrupted&) {
      stopped(done);
    }
    run["key"] = key;
    write_json(path, run);
    say(place_.common, fmt::format("{}: {}, {:.2f} s, objective {:.4g}", place_.title,
                                   run["status"].get<std::string>(), run["seconds"].get<double>(),
                                   number_from(run["measures"].value("objective", Json()))));
    return run;
  }

  static Json describe(const Case& chosen) {
    return {{"id", chosen.id},       {"data", chosen.data},   {"algorithm", chosen.algorithm},
            {"label", chosen.label}, {"case", chosen.varied}, {"seed", chosen.settings.seed},
            {"run", chosen.run}};
  }

  [[noreturn]] void stopped(Index done) const {
    throw Interrupted(fmt::format(
        "experiment {} stopped; {} of {} runs are done and kept in {}: the same command "
        "goes on with the next",
        experiment_.name(), done, cases_.size(), (place_.folder / "runs").string()));
  }

  Json summarize(const Runs& runs) {
    Summary summary;
    experiment_.summarize(runs, place_, summary);
    for (const Table& table : summary.tables())
      write_text(place_.folder / (table.name + ".csv"), table.to_csv());
    Json json = heading();
    double seconds = 0;
    for (const Json& run : runs.all()) seconds += run["seconds"].get<double>();
    json["seconds"] = seconds;
    json["missing"] = missing_;
    json["algorithms"] = Json::array();
    for (const AlgorithmInfo& info : algorithms())
      json["algorithms"].push_back(
          {{"name", info.name}, {"kind", info.batch ? "batch" : "online"}, {"help", info.help}});
    json["runs"] = runs.all();
    for (Json& run : json["runs"]) run.erase("key");
    summary.write_to(json);
    write_json(place_.folder / fmt::format("{}.json", experiment_.name()), json);
    return json;
  }

  Json heading() const {
    const Options& options = place_.options;
    return {{"experiment", experiment_.name()},
            {"title", experiment_.title()},
            {"version", version},
            {"machine", describe_machine()},
            {"options",
             {{"scale", options.scale},
              {"runs", runs_of(experiment_, options).online},
              {"batch_runs", runs_of(experiment_, options).batch},
              {"threads", options.threads},
              {"seed", options.seed},
              {"data", options.data.empty() ? Json() : Json(options.data)},
              {"only", options.only.empty() ? Json() : Json(options.only)}}}};
  }

  const Experiment& experiment_;
  Workplace place_;
  Json missing_;
  std::vector<Case> cases_;
};

}  // namespace

Json run_experiment(const Experiment& experiment, const Options& options, const Common& common,
                    DataSets& data, bool or_nothing) {
  return Runner(experiment, options, common, data, or_nothing).run();
}

}  // namespace tamis::experiments
