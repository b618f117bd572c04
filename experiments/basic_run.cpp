#include "experiments/basic_run.hpp"

#include "experiments/json_number.hpp"

namespace tamis::experiments {

BasicRun fit_case(const Case& chosen, const Workplace& place, const FitRequest& request,
                  bool keep_curves) {
  const Samples& samples = place.data.samples(chosen.data, chosen.setting);
  const Settings settings = chosen.settings_for(samples.V.cols());
  BasicRun run{samples, fit_watched(samples, settings, request, place.common, place.title), {}};
  const Fitted& fitted = run.fitted;
  Json measures{{"objective", fitted.objective.empty()  // diverged at once
                                  ? Json()
                                  : number_or_null(fitted.objective.value.back())}};
  if (!fitted.clean_objective.empty())
    measures["clean_objective"] = number_or_null(fitted.clean_objective.value.back());
  Json curves = Json::object();
  if (keep_curves) {
    measures.update(curve_measures(fitted.objective));
    curves["objective"] = to_json(fitted.objective);
    if (!fitted.clean_objective.empty())
      curves["clean_objective"] = to_json(fitted.clean_objective);
  }
  run.json = {{"settings", Json::parse(fitted.model.settings.to_json())},
              {"status", name_of(fitted.status)},
              {"samples", samples.V.cols()},
              {"features", samples.V.rows()},
              {"passes", fitted.passes},
              {"seconds", fitted.seconds},
              {"measures", measures},
              {"curves", curves},
              {"pictures", Json::object()}};
  return run;
}

}  // namespace tamis::experiments
