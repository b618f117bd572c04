// What a fit returns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tamis/model.hpp"
#include "tamis/types.hpp"

namespace tamis {

enum class Status {
  completed,        // every pass was made
  converged,        // a batch algorithm met its tolerance
  iteration_limit,  // a batch algorithm did not
  interrupted,      // the observer asked to stop
  diverged,         // the objective is not finite any more
};
std::string_view name_of(Status status);

// One recorded moment of a fit.
struct TracePoint {
  Index samples;     // seen so far
  double objective;  // f̃_t(W_t); for batch algorithms the objective divided by N
  double change;     // ‖W_t − W_{t−1}‖_F
  double lambda;
  double seconds;  // since the fit began
};

// A history that is dense at the beginning, where much happens, and stays short: each of the first
// 64 mini-batches, then 64 points whenever their number doubles.
class Trace {
 public:
  bool due(Index batch) const { return batch >= next_; }
  void record(Index batch, const TracePoint& point);
  const std::vector<TracePoint>& points() const { return points_; }

 private:
  Index next_ = 1;
  std::vector<TracePoint> points_;
};

struct Seconds {
  double read = 0;
  double encode = 0;
  double reduce = 0;
  double update = 0;
  double write = 0;
};

struct Info {
  Index samples = 0;  // of this fit
  Index batches = 0;
  Index epochs = 0;
  Index reseeded = 0;             // atoms replaced
  Index unconverged_batches = 0;  // in which a sample did not reach the encoder's tolerance
  // in which rounding errors made linear equations singular: they were solved with a small ridge
  Index regularized_batches = 0;
  double objective = 0;  // at the end
  Seconds seconds;
  Trace trace;
};

template <class T>
struct FitResult {
  Status status = Status::completed;
  std::string message;
  Info info;
  Model<T> model;
};

}  // namespace tamis
