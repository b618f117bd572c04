// THE loop: source → encode → accumulate → absorb → update → sink. Algorithm 1 of Zhao and Tan
// (2017) for mini-batches and any number of passes; with all samples as one mini-batch also their
// batch algorithms. The same for one process and for ranks, which meet in accumulate; there they
// may also get the sums of the mini-batch before, to encode this one instead of waiting for its
// own.
#include "tamis/trainer.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "io/state_file.hpp"
#include "io/whole_source.hpp"
#include "kernels/blas.hpp"
#include "monitor.hpp"
#include "tamis/error.hpp"
#include "tamis/io/matrix_source.hpp"
#include "training.hpp"

namespace tamis {
namespace {

template <class T>
Status run(Training<T>& training, Source<T>& source, Sink<T>* sink, Monitor<T>& monitor) {
  Model<T>& model = training.model;
  Seconds& seconds = monitor.seconds();
  while (model.epoch < training.passes()) {
    training.start_pass(source, sink);
    while (timed(seconds.read, [&] { return training.read(source); })) {
      timed(seconds.encode, [&] { training.encode(); });
      Sums sums = timed(seconds.reduce, [&] { return training.accumulate(monitor.saves_soon()); });
      if (sums == Sums::of_nothing) break;
      // Of a batch algorithm only the last codes are wanted, and no pass knows that it is the last.
      bool unwritten = training.writes() && !training.whole();
      const auto write = [&] {
        if (std::exchange(unwritten, false)) timed(seconds.write, [&] { training.write(sink); });
      };
      while (sums == Sums::finite) {
        timed(seconds.update, [&] {
          training.absorb();
          monitor.before_update();
          training.update();
        });
        training.read_ahead(source);
        write();
        monitor.observe();
        sums = timed(seconds.reduce, [&] { return training.catch_up(); });
      }
      if (sums == Sums::not_finite) return Status::diverged;
      write();  // if there was nothing to learn from: the sums are under way
      monitor.save_if_due();
      if (training.stops(monitor.told_to_stop())) return Status::interrupted;
      if (sums == Sums::of_nothing) break;
    }
    if (model.position == 0) throw DataError("the data have no samples");
    if (training.end_pass()) return Status::converged;
  }
  return training.whole() ? Status::iteration_limit : Status::completed;
}

// Whatever ends the loop, the source is left alone then.
template <class T>
struct ReadsAhead {
  explicit ReadsAhead(Training<T>& with) : training(with) {}
  ~ReadsAhead() { training.stop_reading_ahead(); }
  ReadsAhead(const ReadsAhead&) = delete;
  ReadsAhead& operator=(const ReadsAhead&) = delete;

  Training<T>& training;
};

// A source that was interrupted has changed nothing since the last complete mini-batch.
template <class T>
Status run_until_stopped(Training<T>& training, Source<T>& source, Sink<T>* sink,
                         Monitor<T>& monitor) {
  const ReadsAhead<T> guard(training);
  try {
    return run(training, source, sink, monitor);
  } catch (const Interrupted&) {
    if (!training.ranks().alone()) throw;  // the others wait for this mini-batch
    return Status::interrupted;
  }
}

// Training is distributed while this lives.
template <class T>
struct Together {
  Together(Training<T>& with, const Distribution& distribution) : training(with) {
    training.join(distribution);
  }
  ~Together() { training.join({}); }
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;

  Training<T>& training;
};

// The end of a fit whose outputs may still lack their names
std::optional<Status> ended_as(const std::string& outcome) {
  for (const Status status : {Status::completed, Status::converged, Status::iteration_limit})
    if (name_of(status) == outcome) return status;
  return std::nullopt;
}

const Settings& validated(const Settings& settings) {
  settings.validate();
  return settings;
}

}  // namespace

template <class T>
struct Trainer<T>::Impl {
  explicit Impl(const Settings& settings) : training(validated(settings)) {}

  FitResult<T> fit(Source<T>& source, const FitOptions<T>& options) {
    const bool both_told = !options.selection.empty() && !training.selection.empty();
    if (options.resume && both_told && options.selection != training.selection) {
      throw DataError(
          fmt::format("the samples are chosen by \"{}\", but when the fit was stopped it "
                      "was by \"{}\": to go on, choose the same",
                      options.selection, training.selection));
    }
    training.begin(source, options.resume);
    if (!options.resume) training.selection = options.selection;
    Sink<T>* const sink = options.sink;
    if (sink != nullptr && options.resume) sink->resume(training.sink_state);
    const auto save = [&](const std::string& path) {
      if (sink != nullptr) training.sink_state = sink->state();
      save_state(path, training);
    };
    Monitor<T> monitor(training, options, save);
    if (const auto ended = ended_as(training.outcome); options.resume && ended)
      return monitor.result(*ended);
    const Status status = run_until_stopped(training, source, sink, monitor);
    if (sink != nullptr) finish(status, source, *sink, monitor);
    const bool saves = !options.checkpoint.empty() && training.ranks().rank() == 0;
    if (sink != nullptr && saves && status != Status::interrupted && status != Status::diverged) {
      training.outcome = name_of(status);
      save(options.checkpoint);
    }
    return monitor.result(status);
  }

  // One mini-batch
  Status learn(ConstMatrixRef<T> V, ConstVectorRef<double> weights, std::span<const Index> counts) {
    const bool fresh = !training.model.trained();
    training.take_part(V, weights, counts);
    training.encode();
    const Sums sums = training.accumulate();
    if (sums == Sums::of_nothing) throw DataError("the data have no samples");
    if (sums == Sums::not_finite) {
      training.take_back();
      if (fresh) training.restart();
      return Status::diverged;
    }
    training.absorb();
    training.update();
    return Status::completed;
  }

  void finish(Status status, Source<T>& source, Sink<T>& sink, Monitor<T>& monitor) {
    if (status == Status::interrupted) {
      if (training.model.trained()) training.sink_state = sink.state();
    } else if (status != Status::diverged && training.whole()) {
      if (!training.remembers_codes()) training.recall(source);
      timed(monitor.seconds().write, [&] { training.write(&sink); });
    }
  }

  Training<T> training;
};

template <class T>
FitResult<T> Trainer<T>::fit(Source<T>& source, const FitOptions<T>& options) {
  if (options.checkpoint_every < 1) {
    throw SettingsError(
        fmt::format("checkpoint_every = {}, must be at least 1", options.checkpoint_every));
  }
  const blas::SingleThreaded guard;
  const Together<T> together(impl_->training, options.distribution);
  auto before = impl_->training.snapshot();
  try {
    if (!impl_->training.whole()) return impl_->fit(source, options);
    WholeSource<T> whole(source);
    return impl_->fit(whole, options);
  } catch (...) {
    impl_->training.restore(std::move(before));
    throw;
  }
}

template <class T>
FitResult<T> Trainer<T>::fit(ConstMatrixRef<T> V, const FitOptions<T>& options) {
  MatrixSource<T> source(V);
  return fit(source, options);
}

template <class T>
Status Trainer<T>::partial_fit(ConstMatrixRef<T> V, ConstVectorRef<double> weights,
                               const Distribution& distribution, std::span<const Index> counts) {
  Training<T>& training = impl_->training;
  if (training.whole()) {
    throw SettingsError(std::string(name_of(training.model.settings.algorithm)) +
                        " needs all samples at once: use fit, or an online algorithm");
  }
  const blas::SingleThreaded guard;
  Distribution at_once = distribution;
  at_once.async = false;  // there is no next mini-batch to go on with meanwhile
  const Together<T> together(training, at_once);
  if (training.ranks().alone()) return impl_->learn(V, weights, {});
  auto before = training.snapshot();  // ranks may fail to meet at any time
  try {
    return impl_->learn(V, weights, counts);
  } catch (...) {
    training.restore(std::move(before));
    throw;
  }
}

template <class T>
Status Trainer<T>::partial_fit(ConstMatrixRef<T> V, ConstVectorRef<double> weights) {
  return partial_fit(V, weights, {});
}

template <class T>
Status Trainer<T>::partial_fit(ConstMatrixRef<T> V) {
  return partial_fit(V, Vector<double>());
}

template <class T>
void Trainer<T>::end_pass() {
  impl_->training.end_pass();
}

template <class T>
void Trainer<T>::set_format(const SampleFormat& format) {
  impl_->training.set_format(format);
}

template <class T>
Trainer<T>::Trainer(const Settings& settings) : impl_(std::make_unique<Impl>(settings)) {}
template <class T>
Trainer<T>::Trainer(const Model<T>& model) : Trainer(model.settings) {
  impl_->training.model = model;
}
template <class T>
Trainer<T>::Trainer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
template <class T>
Trainer<T>::~Trainer() = default;
template <class T>
Trainer<T>::Trainer(Trainer&&) noexcept = default;
template <class T>
Trainer<T>& Trainer<T>::operator=(Trainer&&) noexcept = default;

template <class T>
const Model<T>& Trainer<T>::model() const {
  return impl_->training.model;
}

template <class T>
bool Trainer<T>::ended() const {
  return ended_as(impl_->training.outcome).has_value();
}

template <class T>
void Trainer<T>::save(const std::string& path) const {
  save_state(path, impl_->training);
}

template <class T>
Trainer<T> Trainer<T>::load(const std::string& path, std::optional<Index> threads) {
  Settings settings = load_settings(path);
  if (threads) settings.threads = *threads;
  auto impl = std::make_unique<Impl>(settings);
  impl->training.model.settings = settings;  // resolved when the number of samples was known
  load_state(path, impl->training);
  return Trainer(std::move(impl));
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace tamis
