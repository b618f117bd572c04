#include "algorithm/fast.hpp"

#include <utility>

#include "tamis/error.hpp"

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
      std::visit([](const auto& c) { return c.scale_free; }, settings.constraint.value());
  const bool penalised =
      std::visit([](const auto& p) { return p.active(); }, settings.code_penalty);
  return scale_free && !penalised && !settings.dictionary_penalty.active();
}

}  // namespace

template <class T>
void FastAlgorithm<T>::encode(const Matrix<T>& W, const Problem<T>& problem,
                              const Executor& executor, Batch<T>& batch) {
  if (warm_.size() > 0 && (warm_.rows() != W.cols() || warm_.cols() != 2))
    throw DataError("the saved warm start does not belong to the model beside it");
  executor.wake();
  encoder_.prepare(W, batch.has_missing ? with_missing(settings_) : settings_, executor);
  blocks_.run_samples_or_rows(
      executor, fair_block(batch.size(), executor), batch,
      [&](const Executor& rows, Index begin, Index end, auto& scratch, auto& residuals) {
        const bool keep = settings_.warm_start && end == batch.size();
        return encoder_.encode(W, problem, warm_, rows, batch, begin, end, scratch, residuals,
                               keep ? &next_warm_ : nullptr);
      });
  if (settings_.warm_start) std::swap(warm_, next_warm_);
}

template <class T>
void FastAlgorithm<T>::update(const Executor& executor, const Batch<T>&, const Increment<T>&,
                              Model<T>& model) {
  const Settings& s = model.settings;
  if (!norm_is_gauge(s)) {
    problem_.set(model.A, model.B, s.constraint.value(), s.dictionary_penalty);
    minimise(problem_, model.W);
    return;
  }
  update_.update_free(model.A, model.B, rule(), T(0), executor, model.W, &rescaling_);
  rescaling_.to_unit_columns(executor, model.W, model.A, model.B);
  if (warm_.size() == 0) return;
  warm_.col(0).array() *= rescaling_.norms().array().template cast<T>();
  warm_.col(1).array() /= rescaling_.norms().array().template cast<T>();
}

template class FastAlgorithm<float>;
template class FastAlgorithm<double>;

}  // namespace tamis
