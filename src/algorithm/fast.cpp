#include "algorithm/fast.hpp"

namespace tamis {
namespace {

// Missing entries couple slowly to the codes: a fixed, small number of iterations would leave them
// behind.
Fast with_missing(Fast settings) {
  constexpr Index enough = 200;
  if (settings.tolerance > 0 || settings.iterations >= enough) return settings;
  settings.iterations = enough;
  settings.tolerance = 1e-3;
  return settings;
}

bool norm_is_gauge(const Settings& settings) {
  const bool scale_free =
      std::visit([](const auto& c) { return c.scale_free; }, settings.constraint);
  const bool penalised =
      std::visit([](const auto& p) { return p.active(); }, settings.code_penalty);
  return scale_free && !penalised && !settings.dictionary_penalty.active();
}

}  // namespace

template <class T>
void FastAlgorithm<T>::encode(const Matrix<T>& W, const Problem<T>& problem,
                              const Executor& executor, Batch<T>& batch) {
  encoder_.prepare(W, batch.has_missing ? with_missing(settings_) : settings_);
  blocks_.run(executor, batch, [&](Index begin, Index end, auto& scratch) {
    return encoder_.encode(W, problem, batch, begin, end, scratch);
  });
}

template <class T>
void FastAlgorithm<T>::update(const Executor& executor, const Increment<T>&, Model<T>& model) {
  const Settings& s = model.settings;
  problem_.set(model.A, model.B, s.constraint, s.dictionary_penalty);
  if (norm_is_gauge(s)) {
    update_.update_free(problem_, rule(), executor, model.W);
    rescale_to_unit_columns(model.W, model.A, model.B);
  } else {
    minimise(problem_, model.W);
  }
}

template class FastAlgorithm<float>;
template class FastAlgorithm<double>;

}  // namespace tamis
