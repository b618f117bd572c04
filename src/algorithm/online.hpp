// `opgd` and `oadmm`: an encoder that starts at random codes, and the update that belongs to it.
#pragma once

#include "algorithm/blocks.hpp"
#include "algorithm/regularized.hpp"
#include "dictionary/admm.hpp"
#include "dictionary/pgd.hpp"
#include "encoder/admm.hpp"
#include "encoder/pgd.hpp"
#include "statistics.hpp"
#include "tamis/model.hpp"

namespace tamis {

template <class T, class AlgorithmSettings, template <class> class Encoder,
          template <class> class Update>
class OnlineAlgorithm {
 public:
  OnlineAlgorithm(const AlgorithmSettings& settings, const Settings& all)
      : settings_(settings), random_(all.seed, all.init) {}

  void encode(const Matrix<T>& W, const Problem<T>& problem, const Executor& executor,
              Batch<T>& batch) {
    encoder_.prepare(W, settings_);
    blocks_.run(executor, batch, [&](Index begin, Index end, auto& scratch, auto& residuals) {
      return encoder_.encode(W, problem, random_, batch, begin, end, scratch, residuals);
    });
  }

  void update(const Executor&, const Batch<T>&, const Increment<T>&, Model<T>& model) {
    problem_.set(model.A, model.B, model.settings.constraint.value(),
                 model.settings.dictionary_penalty);
    minimise(problem_, model.W);
  }
  void minimise(const DictionaryProblem<T>& problem, Matrix<T>& W) {
    update_.update(problem, rule(settings_), W);
  }

  bool regularized() const { return has_regularized(encoder_) || has_regularized(update_); }

  template <class Self, class Archive>
  static void state(Self&, Archive&&) {}

 private:
  static typename PgdUpdate<T>::Rule rule(const Opgd& s) {
    return {s.kappa_w, s.stopping.update_tolerance, s.stopping.update_iterations};
  }
  static typename AdmmUpdate<T>::Rule rule(const Oadmm& s) {
    return {s.rho3, s.stopping.update_tolerance, s.stopping.update_iterations};
  }

  AlgorithmSettings settings_;
  RandomStart<T> random_;
  Encoder<T> encoder_;
  BlockRunner<typename Encoder<T>::Scratch> blocks_;
  DictionaryProblem<T> problem_;
  Update<T> update_;
};

template <class T>
using OpgdAlgorithm = OnlineAlgorithm<T, Opgd, PgdEncoder, PgdUpdate>;
template <class T>
using OadmmAlgorithm = OnlineAlgorithm<T, Oadmm, AdmmEncoder, AdmmUpdate>;

}  // namespace tamis
