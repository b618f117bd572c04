#include "monitor.hpp"

#include <fmt/format.h>

#include <limits>

#include "precision.hpp"

namespace tamis {

template <class T>
Monitor<T>::Monitor(const Training<T>& training, const FitOptions<T>& options,
                    std::function<void(const std::string&)> save)
    : training_(training),
      options_(options),
      save_(std::move(save)),
      reseeded_before_(training.model.reseeded) {
  if (const auto samples_per_pass = training.samples()) {
    const Index left = training.passes() - training.model.epoch;
    constexpr Index most = std::numeric_limits<Index>::max();
    if (left <= most / std::max<Index>(*samples_per_pass, 1))  // else it will not end anyway
      total_ = *samples_per_pass * left - training.model.position;
  }
}

template <class T>
void Monitor<T>::before_update() {
  const Index samples = info_.samples + training_.step_samples();
  // A pass of a batch algorithm may be its last without knowing.
  due_ = info_.trace.due(info_.batches + 1) || samples == total_ || training_.whole();
  if (due_) W_before_ = training_.model.W;
}

template <class T>
void Monitor<T>::observe() {
  const Model<T>& model = training_.model;
  ++info_.batches;
  info_.samples += training_.step_samples();
  if (!training_.converged()) ++info_.unconverged_batches;
  if (training_.regularized()) ++info_.regularized_batches;
  if (due_) {
    info_.trace.record(info_.batches,
                       {info_.samples, training_.objective(), double((model.W - W_before_).norm()),
                        model.lambda, elapsed()});
  }
  if (options_.observer == nullptr) return;
  const bool goes_on = options_.observer->on_batch(
      {info_.samples, total_, info_.batches, model.epoch, training_.batch_loss(),
       info_.trace.points().back().objective, model.lambda});
  told_to_stop_ = told_to_stop_ || !goes_on;
}

template <class T>
bool Monitor<T>::saves_soon() const {
  const Index under_way = training_.under_way() ? 1 : 0;
  return saves() && info_.batches + under_way + 2 - saved_ >= options_.checkpoint_every;
}

template <class T>
void Monitor<T>::save_if_due() {
  if (!saves() || training_.under_way()) return;
  if (info_.batches - saved_ < options_.checkpoint_every) return;
  save_(options_.checkpoint);
  saved_ = info_.batches;
}

template <class T>
FitResult<T> Monitor<T>::result(Status status) {
  const Model<T>& model = training_.model;
  info_.epochs = model.epoch;
  info_.reseeded = model.reseeded - reseeded_before_;
  info_.objective = training_.objective();
  std::string message;
  switch (status) {
    case Status::completed:
      message =
          fmt::format("{} samples in {}", info_.samples,
                      info_.epochs == 1 ? "one pass" : fmt::format("{} passes", info_.epochs));
      break;
    case Status::converged:
      message = fmt::format("converged after {} passes", info_.batches);
      break;
    case Status::iteration_limit:
      message =
          fmt::format("not converged after {} passes; allow more iterations or a larger tolerance",
                      info_.batches);
      break;
    case Status::interrupted:
      message = fmt::format("stopped after {} samples", info_.samples);
      break;
    case Status::diverged:
      message = fmt::format(
          "the loss is not finite after {} samples; scale the data: in {} precision numbers reach "
          "{:.0e}, squares included{}",
          info_.samples, is_single<T> ? "single" : "double", double(std::numeric_limits<T>::max()),
          or_wider<T>);
      break;
  }
  if (info_.regularized_batches > 0) {
    message += fmt::format(
        "; in {} of {} mini-batches atoms were so much alike that equations had to be regularized: "
        "use fewer atoms{}",
        info_.regularized_batches, info_.batches, or_wider<T>);
  }
  return {status, std::move(message), std::move(info_), model};
}

template <class T>
double Monitor<T>::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

template class Monitor<float>;
template class Monitor<double>;

}  // namespace tamis
