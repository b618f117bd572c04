#include "training.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "dictionary/reseed.hpp"
#include "passes.hpp"
#include "prepare.hpp"
#include "settled.hpp"
#include "tamis/error.hpp"

namespace tamis {

template <class T>
Training<T>::Training(const Settings& settings)
    : given_(settings), work_(make_work<T>(settings)), executor_(settings.threads) {
  model.settings = given_.resolved();
}

template <class T>
void Training<T>::set_format(const SampleFormat& format) {
  model.shape = format.shape;
  model.unit = format.unit;
}

template <class T>
void Training<T>::begin(const Source<T>& source, bool resume) {
  const std::optional<Index> samples = meet(source, resume);
  samples_ = samples;
  // Another source may fill less of it than the one before; V may still be needed.
  block_.bytes.resize(0, 0);
  block_.largest.resize(0);
  wishes_to_stop_ = stops_ = false;
  if (resume) {
    if (samples_per_pass_ >= 0 && samples != samples_per_pass_) {
      throw DataError(fmt::format(
          "there are {} samples, but when the fit was stopped there were {}: to go on, "
          "give it the same data",
          samples ? fmt::to_string(*samples) : "an unknown number of", samples_per_pass_));
    }
    if (model.trained() && source.format().unit != model.unit) {
      throw DataError(fmt::format(
          "entries are divided by {}, but when the fit was stopped it was by {}: to go on, give it "
          "the same data",
          source.format().unit, model.unit));
    }
    return;
  }
  samples_per_pass_ = samples.value_or(-1);
  set_format(source.format());
  model.settings = given_.resolved(samples);
  outcome.clear();
  model.epoch = 0;
  model.position = 0;
  last_objective_ = 0;
  work_ = make_work<T>(model.settings);
}

template <class T>
bool Training<T>::read(Source<T>& source) {
  constexpr Index all = std::numeric_limits<Index>::max();
  block_.accepts_bytes = accepts_bytes();
  exhausted_ = exhausted_ || !source.read(whole() ? all : batch_size(), block_);
  if (exhausted_) {
    if (!ranks_.alone()) take_nothing(source.features());
    return !ranks_.alone();
  }
  if (block_.bytes.size() > 0) {
    take_bytes();
  } else {
    take(block_.V, block_.weights, block_.order, block_.largest);
  }
  return true;
}

template <class T>
void Training<T>::read_ahead(Source<T>& source) {
  executor_.offer([](void* from) { static_cast<Source<T>*>(from)->read_ahead(); }, &source);
}

// Bytes go to the encoder as they are, but the first mini-batch also makes W₀.
template <class T>
void Training<T>::take_bytes() {
  if (model.trained()) {
    number_samples(block_.order);
    prepare<T>(block_.bytes, block_.unit, block_.weights, model.features(), batch_);
    return;
  }
  block_.to_numbers();
  take(block_.V, block_.weights, block_.order);
}

template <class T>
void Training<T>::number_samples(const std::vector<Index>& order) {
  batch_.epoch = model.epoch;
  batch_.first = model.position;
  // A mini-batch whose sums are under way is not counted yet. If it is not a whole one, no samples
  // of a common source follow; for ranks with samples of their own a number is but a number.
  if (under_way_) batch_.first += ranks_.size() * batch_size();
  if (!ranks_.alone()) batch_.first += samples_before_us_.value_or(ranks_.rank() * batch_size());
  batch_.order = order;
}

template <class T>
void Training<T>::take(ConstMatrixRef<T> V, const Vector<double>& weights,
                       const std::vector<Index>& order, const Vector<T>& largest) {
  number_samples(order);
  prepare<T>(V, weights, model.settings, model.trained() ? model.features() : 0, executor_, batch_,
             largest);
  // Beside larger samples such small ones do no harm.
  if (model.c == 0) {
    refuse_vanishing(batch_);
    refuse_unmeasurable();
  }
  if (!model.trained()) initialise();
  // A batch algorithm gets the same block in every pass: once is enough to look at its samples.
  if (whole() && !batch_.has_missing) block_.largest = batch_.largest;
}

// W₀ ∈ C, empty statistics and the first λ
template <class T>
void Training<T>::initialise() {
  const Settings& s = model.settings;
  const Index F = batch_.V.rows();
  s.validate(F);
  Matrix<T> W = first_dictionary();
  for (Index j = 0; j < W.cols(); ++j) {
    auto bring_in = [w = VectorRef<T>(W.col(j))](const auto& c) mutable {
      if constexpr (requires { c.template scale<T>(w); }) c.template scale<T>(w);
      c.template project<T>(w);
    };
    std::visit(bring_in, s.constraint.value());
  }
  model.W = std::move(W);
  if (model.shape.empty()) model.shape = {F};
  model.A.setZero(s.rank, s.rank);
  model.B.setZero(F, s.rank);
  model.lambda = lambda_follows_noise() ? std::numeric_limits<double>::infinity() : lambda_weight();
}

template <class T>
void Training<T>::encode() {
  began_ = Clock::now();
  if (lambda_unknown() && !under_way_) find_first_noise_scale();
  batch_.count_residuals = lambda_follows_noise();
  batch_.resize_results(model.rank());
  const Problem<T> problem(model.settings, model.lambda);
  std::visit([&](auto& work) { work.encode(model.W, problem, executor_, batch_); }, work_);
}

template <class T>
void Training<T>::take_back() {
  std::visit(
      [](auto& work) {
        if constexpr (requires { work.take_back(); }) work.take_back();
      },
      work_);
}

template <class T>
Sums Training<T>::accumulate(bool save_soon) {
  increment_.accumulate(batch_, executor_, ranks_.wire());
  if (ranks_.late()) return exchange_late(save_soon);
  if (!ranks_.alone()) exchange();
  return judged();
}

template <class T>
Sums Training<T>::judged() {
  if (increment_.samples() == 0) return Sums::of_nothing;
  if (!increment_.finite()) return Sums::not_finite;
  batch_loss_ = increment_.mean_loss();
  return Sums::finite;
}

template <class T>
void Training<T>::absorb() {
  outcome.clear();
  ++model.batches;
  model.samples += increment_.samples();
  model.position += increment_.samples();
  const double beta =
      whole()
          ? 0
          : std::visit([&](const auto& f) { return f.beta(model.batches, increment_.samples()); },
                       model.settings.forget.value());
  increment_.absorb_into(model, batch_, beta, executor_, since_);
  if (!lambda_follows_noise()) return;
  constexpr double memory = 0.9;
  if (const double sigma = noise_scale(increment_.residual_counts()); sigma > 0) {
    model.sigma = model.sigma > 0 ? memory * model.sigma + (1 - memory) * sigma : sigma;
  }
  set_lambda(2 * model.c);
}

template <class T>
void Training<T>::update() {
  std::visit([&](auto& work) { work.update(executor_, batch_, increment_, model); }, work_);
  std::vector<Index> reseeded;
  // A batch algorithm has other copies of W, which a new start would contradict.
  if (model.settings.reseed.value() && !whole())
    reseeded = reseed_dead_atoms(batch_, ranks_, since_, model);
  note_changes(reseeded);
  const std::chrono::duration<double> seconds = Clock::now() - began_;
  executor_.mini_batch_took(seconds.count());
}

template <class T>
bool Training<T>::accepts_bytes() const {
  const Settings& s = model.settings;
  return std::holds_alternative<Fast>(s.algorithm) &&
         std::holds_alternative<NormalizeNone>(s.normalize.value()) &&
         std::visit([](const auto& penalty) { return penalty.entrywise; }, s.outlier_penalty);
}

template <class T>
double Training<T>::objective() const {
  return surrogate_.value(model, executor_);
}

template <class T>
bool Training<T>::regularized() const {
  return std::visit([](const auto& work) { return has_regularized(work); }, work_);
}

template <class T>
bool Training<T>::whole() const {
  return std::visit([](const auto& algorithm) { return algorithm.whole; },
                    model.settings.algorithm);
}

template <class T>
Index Training<T>::passes() const {
  return passes_of(model.settings);
}

template <class T>
bool Training<T>::end_pass() {
  const bool first = model.epoch == 0;
  ++model.epoch;
  model.position = 0;
  return std::visit(
      [&](const auto& algorithm) {
        if constexpr (std::decay_t<decltype(algorithm)>::whole) {
          const double before = std::exchange(last_objective_, objective());
          return !first && settled(last_objective_, before, algorithm.stopping.tolerance);
        }
        return false;
      },
      model.settings.algorithm);
}

template <class T>
void Training<T>::recall(Source<T>& source) {
  source.start({});
  exhausted_ = false;
  read(source);
  batch_.resize_results(model.rank());
  std::visit(
      [&](const auto& work) {
        if constexpr (requires { work.recall(batch_); }) work.recall(batch_);
      },
      work_);
}

template <class T>
void Training<T>::restart() {
  Model<T> blank;
  blank.settings = std::move(model.settings);
  blank.shape = std::move(model.shape);
  blank.unit = model.unit;
  model = std::move(blank);
}

template <class T>
void Training<T>::restore(Snapshot&& before) {
  model = std::move(before.model);
  work_ = std::move(before.work);
  batch_loss_ = before.batch_loss;
  last_objective_ = before.last_objective;
  samples_per_pass_ = before.samples_per_pass;
  selection = std::move(before.selection);
  sink_state = std::move(before.sink_state);
  outcome = std::move(before.outcome);
}

template class Training<float>;
template class Training<double>;

}  // namespace tamis
