// Progress of long work: a bar on a terminal, lines elsewhere, nothing with --quiet.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "common.hpp"
#include "tamis/observer.hpp"
#include "tamis/types.hpp"

namespace tamis {

class ProgressMeter {
 public:
  // `work` is a word such as "fit", `unit` what is counted.
  ProgressMeter(const Common& common, std::string work, std::string unit = "samples");
  ~ProgressMeter();
  ProgressMeter(const ProgressMeter&) = delete;
  ProgressMeter& operator=(const ProgressMeter&) = delete;

  // total: samples there will be, when known.
  void show(Index samples, std::optional<Index> total, std::optional<double> objective = {});
  // Removes the bar, so that something else can be printed.
  void clear();
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(Index samples, std::optional<Index> total,
                   std::optional<double> objective) const;

  bool quiet_;
  bool terminal_;
  std::string work_, unit_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
  bool drawn_ = false;
};

// The same for a fit, which Ctrl-C stops after a mini-batch.
class FitProgress final : public Observer {
 public:
  explicit FitProgress(const Common& common) : meter_(common, "fit") {}

  bool on_batch(const Progress& progress) override;
  ProgressMeter& meter() { return meter_; }

 private:
  ProgressMeter meter_;
};

}  // namespace tamis
