// Looks after Python while the library works without the GIL: signals (Ctrl-C) and callbacks.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>

#include "tamis/observer.hpp"

namespace tamis::python {

class Watcher final : public Observer {
 public:
  // callback: None, or called with every Progress, but not more often than every `interval`
  // seconds. If it returns what is false, but not None, the fit ends.
  explicit Watcher(pybind11::object callback = pybind11::none(), double interval = 0)
      : callback_(std::move(callback)), interval_(callback_.is_none() ? look_every : interval) {}

  bool on_batch(const Progress& progress) override;
  // Between two blocks of other work; false when it should end.
  bool go_on();

  // With the GIL: raises in Python what made the work end, if anything was raised.
  void rethrow() const;

 private:
  // Waiting for the GIL may take longer than a mini-batch, so it is not asked for at every one.
  static constexpr double look_every = 0.05;  // seconds

  bool due();
  template <class Ask>
  bool ask(const Ask& more);

  pybind11::object callback_;
  double interval_;
  std::chrono::steady_clock::time_point next_ = {};
  std::exception_ptr error_;
};

}  // namespace tamis::python
