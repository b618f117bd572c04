#include "experiments/fitting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "experiments/clean_objective.hpp"
#include "experiments/processor_time.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "tamis/error.hpp"
#include "tamis/evaluate.hpp"
#include "tamis/trainer.hpp"

namespace tamis::experiments {
namespace {

// Time spent on watching, which is not the algorithm's.
class Stopwatch {
 public:
  template <class Work>
  void time(Work&& work) {
    const auto start = Clock::now();
    work();
    seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
  }
  double seconds() const { return seconds_; }

 private:
  using Clock = std::chrono::steady_clock;
  double seconds_ = 0;
};

// Sink and observer of the fit.
class Watcher final : public Sink<float>, public Observer {
 public:
  Watcher(const Samples& samples, const FitRequest& request, const Trainer<float>& trainer,
          Index rank, ProgressMeter& meter)
      : samples_(samples),
        request_(request),
        trainer_(trainer),
        meter_(meter),
        H_(Matrix<float>::Zero(rank, samples.V.cols())),
        R_(Matrix<float>::Zero(samples.V.rows(), Index(request.outliers_of.size()))) {}

  void write(const EncodedBlock<float>& block) override {
    watch_.time([&] {
      const Index n = block.codes.cols();
      H_.middleCols(block.first, n) = block.codes;
      keep_outliers(block);
      if (request_.clean_curve)
        clean_.add(samples_.truth().middleCols(block.first, n), block.codes);
    });
  }

  bool on_batch(const Progress& progress) override {
    const double before = watch_.seconds();  // what the trace's time has of ours
    watch_.time([&] {
      const bool last = progress.samples == progress.total;
      if (trace_.due(progress.batches) || last) {
        const double clean = request_.clean_curve ? clean_.value(trainer_.model().W) : 0;
        trace_.record(progress.batches, {progress.samples, clean, 0, 0, before});
        shares_.push_back(share_.since_last());
      }
      meter_.show(progress.samples, progress.total, progress.objective);
    });
    return !interrupt_requested();
  }

  // The curves of the fit's own trace, without the time that went by in here, and of a single
  // thread without the time in which others had its processor.
  void finish(const FitResult<float>& result, bool one_thread, Fitted& fitted) {
    fitted.H = std::move(H_);
    fitted.R = std::move(R_);
    const auto& mine = trace_.points();
    std::size_t i = 0;
    double ours = 0, before = 0, seconds = 0, share = 1;
    for (const TracePoint& point : result.info.trace.points()) {
      while (i < mine.size() && mine[i].samples < point.samples) ++i;
      const bool same = i < mine.size() && mine[i].samples == point.samples;
      if (same) ours = mine[i].seconds;
      if (same && one_thread) share = shares_[i];
      const double now = std::max(point.seconds - ours, before);
      seconds += share * (now - before);
      before = now;
      fitted.objective.add(point.samples, seconds, point.objective);
      if (same && request_.clean_curve)
        fitted.clean_objective.add(point.samples, seconds, mine[i].objective);
    }
    fitted.seconds = seconds;  // the trace's last point is the end of the fit
  }

 private:
  void keep_outliers(const EncodedBlock<float>& block) {
    const auto& wanted = request_.outliers_of;
    const Index end = block.first + block.codes.cols();
    for (auto at = std::ranges::lower_bound(wanted, block.first); at != wanted.end() && *at < end;
         ++at)
      R_.col(at - wanted.begin()) = block.outliers.col(*at - block.first);
  }

  const Samples& samples_;
  const FitRequest& request_;
  const Trainer<float>& trainer_;
  ProgressMeter& meter_;
  Matrix<float> H_, R_;
  CleanObjective clean_;
  Trace trace_;
  ProcessorShare share_;
  std::vector<double> shares_;  // between the points of trace_
  Stopwatch watch_;
};

}  // namespace

Fitted fit_watched(const Samples& samples, const Settings& settings, const FitRequest& request,
                   const Common& common, const std::string& title) {
  ProgressMeter meter(common, title);
  Trainer<float> trainer(settings);
  Watcher watcher(samples, request, trainer, settings.rank, meter);
  FitResult<float> result = trainer.fit(samples.V, {.sink = &watcher, .observer = &watcher});
  if (result.status == Status::interrupted) throw Interrupted("stopped");
  Fitted fitted;
  watcher.finish(result, settings.threads == 1, fitted);
  fitted.status = result.status;
  fitted.passes = result.info.epochs;
  fitted.model = std::move(result.model);
  return fitted;
}

double arrival_psnr(const Samples& samples, const Fitted& fitted) {
  constexpr Index block = 1024;
  ErrorSum error;
  for (Index first = 0; first < samples.V.cols(); first += block) {
    const Index n = std::min(block, samples.V.cols() - first);
    error.add<float>(samples.truth().middleCols(first, n),
                     fitted.model.reconstruct(fitted.H.middleCols(first, n)));
  }
  return error.psnr();
}

}  // namespace tamis::experiments
