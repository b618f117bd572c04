// The ranks that learn one model together, as training sees them. Usually there is one, and then
// none of this costs anything.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "statistics.hpp"
#include "tamis/communicator.hpp"
#include "tamis/io/share.hpp"
#include "tamis/settings.hpp"
#include "tamis/types.hpp"

namespace tamis {

class Ranks {
 public:
  Ranks() = default;
  // Throws SettingsError for what cannot be done by several ranks.
  Ranks(const Distribution& distribution, const Settings& settings);

  int rank() const { return comm_ == nullptr ? 0 : comm_->rank(); }
  int size() const { return comm_ == nullptr ? 1 : comm_->size(); }
  bool alone() const { return size() == 1; }
  bool own_samples() const { return !alone() && distribution_.own_samples; }
  // All read the same source.
  bool share_samples() const { return !alone() && !distribution_.own_samples; }

  // Samples of a rank's mini-batch, when that of the settings is τ
  Index batch_size(Index tau) const { return alone() ? tau : tau * distribution_.sync_every; }
  // Of a pass, for mini-batches of so many
  Share share(Index batch) const;
  Wire wire() const;
  // Sums are learned from one mini-batch late.
  bool late() const { return !alone() && distribution_.async; }
  // How sums are exchanged, in words: has to be the same for all
  std::string manner() const;

  void all_reduce(std::span<double> values, std::span<float> more = {}) const {
    if (!alone()) comm_->all_reduce(values, more);
  }
  void start_all_reduce(Addends mine) const { comm_->start_all_reduce(std::move(mine)); }
  Addends finish_all_reduce() const { return comm_->finish_all_reduce(); }
  // Column r is what rank r brings.
  Matrix<double> table(std::initializer_list<double> mine) const;
  // How many each rank has
  std::vector<Index> counts(Index mine) const;
  // The columns of all ranks, one after another in their order; `counts` are how many each has.
  template <class T>
  Matrix<T> gathered(ConstMatrixRef<T> mine, std::span<const Index> counts) const;
  // What rank 0 has
  void take_from_first(std::span<double> values) const;

 private:
  Distribution distribution_;
  Communicator* comm_ = nullptr;
};

// What ranks tell each other before they begin. Throws, on all of them alike, if they do not fit
// together.
struct Introduction {
  Index features;
  Index samples;                  // of one pass; −1: unknown
  double unit;                    // of the samples' entries
  std::uint32_t settings, state;  // digests of what has to be the same
  std::size_t precision;          // bytes of a number
};
// Returns the samples of one pass of all ranks together, if known.
std::optional<Index> introduce(const Ranks& ranks, const Introduction& mine);

}  // namespace tamis
