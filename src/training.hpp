// The state of a trainer and the steps of its loop, in the loop's order.
#pragma once

#include <optional>

#include "algorithm/registry.hpp"
#include "batch.hpp"
#include "parallel.hpp"
#include "statistics.hpp"
#include "surrogate.hpp"
#include "tamis/communicator.hpp"
#include "tamis/io/sink.hpp"
#include "tamis/io/source.hpp"
#include "tamis/model.hpp"
#include "tamis/settings.hpp"

namespace tamis {

template <class T>
class Training {
 public:
  // Settings must be valid; what is unset is filled in here, and again when the number of samples
  // is known.
  explicit Training(const Settings& settings);

  Model<T> model;

  void set_format(const SampleFormat& format);

  // Before the loop: a new first pass, or the place where a saved state stopped.
  void begin(const Source<T>& source, bool resume);

  // The next mini-batch, checked and scaled; false at the end of the pass. Nothing is changed if it
  // throws.
  bool read(Source<T>& source);
  void take(ConstMatrixRef<T> V, const Vector<double>& weights,
            const std::vector<Index>& order = {}, const Vector<T>& largest = {});
  // H and R of the mini-batch for fixed W
  void encode();
  // ΔA, ΔB, Δc, summed over all ranks; false if they are not finite
  bool accumulate();
  // The statistics and λ
  void absorb();
  // W, and new starts for dead atoms
  void update();
  void write(Sink<T>& sink);

  bool whole() const;  // a batch algorithm: every mini-batch is all samples
  Index passes() const;
  // Ends a pass; true if a batch algorithm met its tolerance with it.
  bool end_pass();
  double objective() const;  // f̃(W); of a batch algorithm its objective divided by N
  double batch_loss() const { return batch_loss_; }
  const Batch<T>& batch() const { return batch_; }

  // How samples are chosen from the input: has to be the same when the fit goes on
  std::string selection;
  // What the sink needs to go on from the latest checkpoint
  std::string sink_state;

  // Forgets a W₀ from which nothing was learned.
  void restart();

  // Everything that training changes, to be put back if it fails
  struct Snapshot {
    Model<T> model;
    AlgorithmWork<T> work;
    double batch_loss, last_objective;
    Index samples_per_pass;
    std::string selection, sink_state;
  };
  Snapshot snapshot() const {
    return {model, work_, batch_loss_, last_objective_, samples_per_pass_, selection, sink_state};
  }
  void restore(Snapshot&& before);

  // Every name and value that a file has to hold
  template <class Self, class Archive>
  static void state(Self& self, Archive&& archive) {
    Model<T>::state(self.model, archive);
    archive("batch_loss", self.batch_loss_);
    archive("last_objective", self.last_objective_);
    archive("samples_per_pass", self.samples_per_pass_);
    archive("selection", self.selection);
    archive("sink", self.sink_state);
    std::visit([&](auto& work) { std::decay_t<decltype(work)>::state(work, archive); }, self.work_);
  }

 private:
  void take_bytes();
  void number_samples(const std::vector<Index>& order);
  bool accepts_bytes() const;  // the algorithm can do with samples stored as bytes
  void initialise();
  void find_first_noise_scale();
  void set_lambda(double mean_square);
  bool lambda_follows_noise() const;
  double lambda_weight() const;

  Settings given_;  // as the user wrote them
  AlgorithmWork<T> work_;
  double batch_loss_ = 0;        // mean loss of the latest mini-batch
  double last_objective_ = 0;    // of a batch algorithm's previous pass
  Index samples_per_pass_ = -1;  // of the source; −1 while unknown
  Executor executor_;
  SelfCommunicator comm_;
  SampleBlock<T> block_;
  Batch<T> batch_;
  Increment<T> increment_;
  mutable Surrogate<T> surrogate_;
  Matrix<T> H_out_, R_out_;
};

}  // namespace tamis
