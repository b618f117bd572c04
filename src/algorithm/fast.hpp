// `fast`: FastEncoder and CoordinateUpdate.
#pragma once

#include <utility>

#include "algorithm/blocks.hpp"
#include "dictionary/coordinate.hpp"
#include "encoder/fast.hpp"
#include "statistics.hpp"
#include "tamis/model.hpp"

namespace tamis {

template <class T>
class FastAlgorithm {
 public:
  FastAlgorithm(const Fast& settings, const Settings&) : settings_(settings) {}

  void encode(const Matrix<T>& W, const Problem<T>& problem, const Executor& executor,
              Batch<T>& batch);
  // The latest mini-batch is refused: the next one starts where it did.
  void take_back() {
    if (settings_.warm_start) std::swap(warm_, next_warm_);
  }
  void update(const Executor& executor, const Batch<T>&, const Increment<T>& sums, Model<T>& model);
  // Sweeps within C, norms included.
  void minimise(const DictionaryProblem<T>& problem, Matrix<T>& W) {
    update_.update_projected(problem, rule(), W);
  }

  // What the latest update divided the atoms by; empty: nothing
  const Vector<double>& norms() const { return rescaling_.norms(); }

  template <class Self, class Archive>
  static void state(Self& self, Archive&& archive) {
    archive("warm_start", self.warm_);
  }

 private:
  typename CoordinateUpdate<T>::Rule rule() const {
    return {settings_.sweeps, settings_.update_tolerance};
  }

  Fast settings_;
  FastEncoder<T> encoder_;
  BlockRunner<typename FastEncoder<T>::Scratch> blocks_;
  WarmStart<T> warm_, next_warm_;
  DictionaryProblem<T> problem_;
  CoordinateUpdate<T> update_;
  Rescaling<T> rescaling_;
};

}  // namespace tamis
