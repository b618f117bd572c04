// Learning: one loop for every algorithm, any number of passes, serial or parallel.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "tamis/communicator.hpp"
#include "tamis/io/sink.hpp"
#include "tamis/io/source.hpp"
#include "tamis/model.hpp"
#include "tamis/observer.hpp"
#include "tamis/result.hpp"
#include "tamis/settings.hpp"
#include "tamis/types.hpp"

namespace tamis {

template <class T>
struct FitOptions {
  Sink<T>* sink = nullptr;
  Observer* observer = nullptr;
  // How the samples are chosen from the input, in any words: to be the same when a fit is resumed.
  std::string selection = {};
  bool resume = false;  // go on where the loaded state stopped, instead of with a new first pass
  // File to save the state to, also when all is learned if there is a sink, whose files may still
  // have to be completed; empty: none
  std::string checkpoint = {};
  Index checkpoint_every = 1000;  // mini-batches
  // Several ranks: each calls fit with the same settings. Checkpoints are written by rank 0.
  Distribution distribution = {};
};

template <class T>
class Trainer {
 public:
  // Throws SettingsError naming every broken rule.
  explicit Trainer(const Settings& settings);
  // Goes on from a finished model. What else the algorithm remembers (ONMF's buffer, a warm start)
  // begins anew.
  explicit Trainer(const Model<T>& model);
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  // Learns from all passes over the source. If it throws, the model is as it was before.
  FitResult<T> fit(Source<T>& source, const FitOptions<T>& options = {});
  // The same for samples in memory.
  FitResult<T> fit(ConstMatrixRef<T> V, const FitOptions<T>& options = {});

  // Learns from the columns of V as one mini-batch. If it throws or does not complete, the model is
  // as it was before.
  Status partial_fit(ConstMatrixRef<T> V);
  Status partial_fit(ConstMatrixRef<T> V, ConstVectorRef<double> weights);
  // The same with other ranks: V is this one's part of the mini-batch, and may have no columns.
  // counts: how many samples each rank has. If it is empty, they ask each other, and make sure that
  // they have the same settings and model.
  Status partial_fit(ConstMatrixRef<T> V, ConstVectorRef<double> weights,
                     const Distribution& distribution, std::span<const Index> counts = {});
  // What partial_fit gets from now on belongs to another pass over the samples.
  void end_pass();
  // How the samples of partial_fit look outside; for the model to remember, as fit does by itself.
  void set_format(const SampleFormat& format);

  const Model<T>& model() const;

  // Is this the state of a fit that came to its end? Resuming it changes nothing.
  bool ended() const;

  // The complete state: a trainer that is loaded and resumed gives the same bits as one that never
  // stopped. The file is also a model file.
  void save(const std::string& path) const;
  // The number of threads may change, because it changes no bits.
  static Trainer load(const std::string& path, std::optional<Index> threads = {});

 private:
  struct Impl;
  explicit Trainer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

extern template class Trainer<float>;
extern template class Trainer<double>;

}  // namespace tamis
