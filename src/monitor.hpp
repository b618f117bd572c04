// What a fit remembers about itself: trace, counts, seconds; and who has to be told: observer,
// checkpoint.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "tamis/result.hpp"
#include "tamis/trainer.hpp"
#include "training.hpp"

namespace tamis {

template <class Work>
auto timed(double& seconds, Work&& work) {
  struct Stopwatch {
    double& total;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

    explicit Stopwatch(double& time) : total(time) {}
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    ~Stopwatch() {
      total += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
  } stopwatch{seconds};
  return work();
}

template <class T>
class Monitor {
 public:
  Monitor(const Training<T>& training, const FitOptions<T>& options,
          std::function<void(const std::string&)> save);

  Seconds& seconds() { return info_.seconds; }
  void before_update();  // keeps W, if this mini-batch goes into the trace
  void observe();        // after a mini-batch
  bool told_to_stop() const { return told_to_stop_; }
  // A checkpoint is due with the mini-batch after the one that is being learned from.
  bool saves_soon() const;
  void save_if_due();  // and if no sums are under way
  FitResult<T> result(Status status);

 private:
  double elapsed() const;
  bool saves() const { return !options_.checkpoint.empty() && training_.ranks().rank() == 0; }

  const Training<T>& training_;
  const FitOptions<T>& options_;
  std::function<void(const std::string&)> save_;
  std::optional<Index> total_;
  Index reseeded_before_;
  Info info_;
  Index saved_ = 0;  // mini-batches before the latest checkpoint
  bool told_to_stop_ = false;
  bool due_ = false;  // this mini-batch goes into the trace
  Matrix<T> W_before_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tamis
