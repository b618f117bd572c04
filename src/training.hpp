// The state of a trainer and the steps of its loop, in the loop's order.
#pragma once

#include <chrono>
#include <optional>
#include <span>

#include "algorithm/registry.hpp"
#include "batch.hpp"
#include "parallel.hpp"
#include "ranks.hpp"
#include "statistics.hpp"
#include "surrogate.hpp"
#include "tamis/communicator.hpp"
#include "tamis/io/sink.hpp"
#include "tamis/io/source.hpp"
#include "tamis/model.hpp"
#include "tamis/settings.hpp"

namespace tamis {

enum class Sums {
  finite,
  not_finite,
  of_nothing,
  later,  // they are under way, or there are none to wait for
};

template <class T>
class Training {
 public:
  // Settings must be valid; what is unset is filled in here, and again when the number of samples
  // is known.
  explicit Training(const Settings& settings);

  Model<T> model;

  void set_format(const SampleFormat& format);

  // From now on with these ranks. Throws SettingsError if that is not possible.
  void join(const Distribution& distribution) {
    ranks_ = Ranks(distribution, model.settings);
    samples_before_us_.reset();
    forget_late();
  }
  const Ranks& ranks() const { return ranks_; }

  // Before the loop: a new first pass, or the place where a saved state stopped.
  void begin(const Source<T>& source, bool resume);
  // sink: null if there is none
  void start_pass(Source<T>& source, const Sink<T>* sink);

  // The next mini-batch, checked and scaled; false at the end of the pass. Of several ranks those
  // that have no more samples go on with empty ones. Nothing is changed if it throws.
  bool read(Source<T>& source);
  // A thread that has nothing to do now may see to what is read next.
  void read_ahead(Source<T>& source);
  // From now on nobody is at the source but who reads.
  void stop_reading_ahead() { executor_.withdraw(); }
  void take(ConstMatrixRef<T> V, const Vector<double>& weights,
            const std::vector<Index>& order = {}, const Vector<T>& largest = {});
  // The part of a mini-batch that this rank has, which may be empty. counts: those of all ranks; if
  // there are none, ranks ask each other.
  void take_part(ConstMatrixRef<T> V, const Vector<double>& weights, std::span<const Index> counts);
  // H and R of the mini-batch for fixed W
  void encode();
  // As if the latest mini-batch had not been encoded
  void take_back();
  // ΔA, ΔB, Δc, summed over all ranks; of nothing: no rank had samples left. If sums come late,
  // those of the mini-batch before. save_soon: after the next mini-batch, catch up.
  Sums accumulate(bool save_soon = false);
  // The sums that are still under way, if ranks have to catch up: to stop, or to save a state that
  // is complete
  Sums catch_up();
  bool under_way() const { return under_way_; }
  // The statistics and λ
  void absorb();
  // W, and new starts for dead atoms
  void update();
  // Is there a sink for what was encoded in this pass, here or at rank 0?
  bool writes() const { return writes_; }
  void write(Sink<T>* sink);
  // After a mini-batch: is it the last? Ranks stop after the same one, the first of which all know
  // that one of them wishes it.
  bool stops(bool wish);

  bool whole() const;  // a batch algorithm: every mini-batch is all samples
  Index passes() const;
  // Ends a pass; true if a batch algorithm met its tolerance with it.
  bool end_pass();
  double objective() const;  // f̃(W); of a batch algorithm its objective divided by N
  double batch_loss() const { return batch_loss_; }
  Index step_samples() const { return increment_.samples(); }  // of the latest mini-batch
  bool converged() const { return increment_.converged(); }    // its codes
  bool regularized() const;                                    // its equations, see registry.hpp
  std::optional<Index> samples() const { return samples_; }    // of one pass, when known

  // How samples are chosen from the input: has to be the same when the fit goes on
  std::string selection;
  // What the sink needs to go on from the latest checkpoint
  std::string sink_state;

  // How the fit ended, of a state that was saved after that; empty while there is more to learn
  std::string outcome;

  // Of a batch algorithm that ended with a pass made before it was resumed: its codes, again
  void recall(Source<T>& source);
  bool remembers_codes() const { return batch_.size() > 0; }

  // Forgets a W₀ from which nothing was learned.
  void restart();

  // Everything that training changes, to be put back if it fails
  struct Snapshot {
    Model<T> model;
    AlgorithmWork<T> work;
    double batch_loss, last_objective;
    Index samples_per_pass;
    std::string selection, sink_state, outcome;
  };
  Snapshot snapshot() const {
    return {model,     work_,      batch_loss_, last_objective_, samples_per_pass_,
            selection, sink_state, outcome};
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
    archive("outcome", self.outcome);
    std::visit([&](auto& work) { std::decay_t<decltype(work)>::state(work, archive); }, self.work_);
  }

 private:
  void take_bytes();
  void take_nothing(Index F);
  void number_samples(const std::vector<Index>& order);
  Index batch_size() const { return ranks_.batch_size(model.settings.batch_size.value()); }
  bool accepts_bytes() const;  // the algorithm can do with samples stored as bytes
  std::optional<Index> meet(const Source<T>& source, bool resume) const;
  void initialise();
  Matrix<T> first_dictionary() const;
  Sums judged();
  void exchange();
  Sums exchange_late(bool save_soon);
  Sums arrived();
  void add_notes(Increment<T>& sums);
  void heed_notes();
  void note_changes(const std::vector<Index>& reseeded);
  void forget_late();
  void follow_first_rank();
  void write_together(Sink<T>* sink);
  void find_first_noise_scale();
  void set_lambda(double mean_square);
  bool lambda_follows_noise() const;
  bool lambda_unknown() const;
  void refuse_unmeasurable() const;
  double lambda_weight() const;

  Settings given_;  // as the user wrote them
  AlgorithmWork<T> work_;
  double batch_loss_ = 0;        // mean loss of the latest mini-batch
  double last_objective_ = 0;    // of a batch algorithm's previous pass
  Index samples_per_pass_ = -1;  // of the source; −1 while unknown
  using Clock = std::chrono::steady_clock;
  Executor executor_;
  Clock::time_point began_;  // with the latest mini-batch
  Ranks ranks_;
  std::optional<Index> samples_;  // of one pass
  // In a mini-batch of ranks; unset: as many as whole parts of it have
  std::optional<Index> samples_before_us_;
  bool writes_ = false;
  bool wishes_to_stop_ = false;
  bool stops_ = false;      // some rank wished it
  bool compares_ = false;   // the sums that are exchanged tell whether ranks have the same W
  bool exhausted_ = false;  // the source has no more in this pass
  Index own_written_ = 0;   // samples of this pass that went to the sink, if each rank has its own
  SampleBlock<T> block_;
  Batch<T> batch_;
  Increment<T> increment_;
  // Sums that come late: those of the latest mini-batch, and what an update has done since then to
  // the atoms its codes belong to: what codes are to be multiplied by, 0 for atoms that were
  // replaced; empty if nothing was done.
  Increment<T> late_;
  bool under_way_ = false;
  bool catches_up_ = false;  // some rank asked for it
  Vector<double> since_;
  mutable Surrogate<T> surrogate_;
  Matrix<T> H_out_, R_out_;
};

}  // namespace tamis
