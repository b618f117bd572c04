// A trainer with what Python needs around it: arrays in and out, no GIL while it works, and locks,
// since without the GIL nothing else keeps two threads apart.
#pragma once

#include <pybind11/numpy.h>

#include <optional>
#include <string>
#include <vector>

#include "array.hpp"
#include "forkable_mutex.hpp"
#include "tamis/trainer.hpp"
#include "watcher.hpp"

namespace tamis::python {

template <class T>
class Estimator {
 public:
  explicit Estimator(const Settings& settings) : trainer_(settings) {}
  explicit Estimator(Trainer<T>&& trainer) : trainer_(std::move(trainer)) {}

  using Weights = std::optional<pybind11::array_t<double, pybind11::array::c_style>>;

  // Returns a dict of what happened.
  // comm: None, or ranks of which each calls it with samples of its own. async: see Distribution.
  pybind11::dict fit(const pybind11::array& X, const Weights& weights, pybind11::object callback,
                     double interval, const pybind11::object& comm, bool async);
  // counts: the samples of each rank, or empty if they have to ask each other
  std::string partial_fit(const pybind11::array& X, const Weights& weights,
                          const pybind11::object& comm, const std::vector<Index>& counts);
  void end_pass();

  // (H, R or None, whether all samples converged)
  pybind11::tuple transform(const pybind11::array& X, bool outliers, const EncodeOptions& options);
  pybind11::array_t<T> inverse_transform(
      const pybind11::array_t<T, pybind11::array::c_style>& codes);
  // (Σ s|v − Wh|, Σ s|v|) over the observed entries, and whether all samples converged
  pybind11::tuple absolute_errors(const pybind11::array& X, const Weights& weights,
                                  const EncodeOptions& options);
  // The samples with their gross errors replaced, the threshold, and whether all converged
  pybind11::tuple denoise(const pybind11::array& X, std::optional<double> threshold,
                          const EncodeOptions& options);

  void save(const std::string& path);

  // Looks at the model while no other thread changes it.
  template <class Look>
  auto look(const Look& at) {
    const auto lock = shared_lock();
    return at(trainer_.model());
  }

 private:
  // Who waits for a lock must not hold the GIL: the other one may need it to finish.
  std::shared_lock<std::shared_mutex> shared_lock() {
    std::shared_mutex& mutex = mutex_.ready();
    const pybind11::gil_scoped_release release;
    return std::shared_lock(mutex);
  }

  enum class Blocks { soon_done, of_the_program };
  template <class Use>
  void for_each_encoded_block(const SampleArray& array, const EncodeOptions& options, Blocks blocks,
                              const Use& use);

  Trainer<T> trainer_;
  ForkableMutex mutex_;
};

}  // namespace tamis::python
