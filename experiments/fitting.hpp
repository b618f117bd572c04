// One fit, watched: its curves, the codes found on arrival, and the time it took without the
// watching.
#pragma once

#include <string>
#include <vector>

#include "common.hpp"
#include "experiments/curves.hpp"
#include "experiments/data_sets.hpp"
#include "tamis/result.hpp"
#include "tamis/settings.hpp"

namespace tamis::experiments {

struct FitRequest {
  bool clean_curve = false;  // f̂_t too; online algorithms only
  // Samples (numbers in the order of arrival, increasing) whose outliers are wanted
  std::vector<Index> outliers_of = {};
};

struct Fitted {
  Status status = Status::completed;
  Model<float> model;
  Matrix<float> H;  // K×N, codes found on arrival; of a batch algorithm the last ones
  Matrix<float> R;  // F×n, outliers of the samples asked for
  Curve objective;
  Curve clean_objective;
  double seconds = 0;  // reading, encoding, updating; of one thread its processor time
  Index passes = 1;
};

// `title` is what the progress bar says. Throws Interrupted.
Fitted fit_watched(const Samples& samples, const Settings& settings, const FitRequest& request,
                   const Common& common, const std::string& title);

// −10·log₁₀(Σ‖v° − Wh‖²/(FN)) with the codes found on arrival
double arrival_psnr(const Samples& samples, const Fitted& fitted);

}  // namespace tamis::experiments
