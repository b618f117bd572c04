#include "dictionary/reseed.hpp"

#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "dictionary/coordinate.hpp"
#include "random/random.hpp"

namespace tamis {
namespace {

// The mini-batches of all ranks, one after another, and which of their samples come next.
template <class T>
class Candidates {
 public:
  Candidates(const Batch<T>& batch, const Ranks& ranks, const Model<T>& model)
      : batch_(batch), ranks_(ranks), counts_(ranks.counts(batch.size())) {
    weight_ = ranks.gathered<double>(usable_weight(batch).transpose(), counts_).transpose();
    if (weight_.size() == 0) return;
    offset_ =
        RandomStream(model.settings.seed, Purpose::reseed, 0, model.batches).below(weight_.size());
  }

  // Different atoms take different samples: equal atoms would never part again.
  std::optional<Index> next() {
    while (tried_ < weight_.size()) {
      const Index sample = (offset_ + tried_++) % weight_.size();
      if (weight_[sample] > 0) return sample;
    }
    return {};
  }

  // As columns. Where a sample has no value its prediction stands in.
  Matrix<T> samples(const std::vector<Index>& chosen) const {
    const auto before_us = counts_.begin() + ranks_.rank();
    const Index first = std::accumulate(counts_.begin(), before_us, Index(0));
    Matrix<double> found = Matrix<double>::Zero(batch_.features(), Index(chosen.size()));
    for (Index k = 0; k < found.cols(); ++k) {
      const Index j = chosen[std::size_t(k)] - first;
      if (j < 0 || j >= batch_.size()) continue;
      for (Index i = 0; i < found.rows(); ++i) {
        const T v = batch_.value(i, j);
        found(i, k) = double(std::isnan(v) ? batch_.Y(i, j) : v);
      }
    }
    ranks_.all_reduce({found.data(), std::size_t(found.size())});
    return found.template cast<T>();
  }

 private:
  // A sample of zeros is no atom.
  static Vector<double> usable_weight(const Batch<T>& batch) {
    Vector<double> weight = batch.weight;
    for (Index j = 0; j < batch.size(); ++j) {
      bool empty = true;  // NaN is missing
      for (Index i = 0; i < batch.features() && empty; ++i)
        empty = !(std::abs(batch.value(i, j)) > 0);
      if (empty) weight[j] = 0;
    }
    return weight;
  }

  const Batch<T>& batch_;
  const Ranks& ranks_;
  std::vector<Index> counts_;  // of each rank
  Vector<double> weight_;      // of all ranks' samples
  Index offset_ = 0;
  Index tried_ = 0;
};

}  // namespace

template <class T>
std::vector<Index> reseed_dead_atoms(const Batch<T>& batch, const Ranks& ranks,
                                     const Vector<double>& since, Model<T>& model) {
  std::optional<Candidates<T>> candidates;  // rarely needed
  std::vector<Index> atoms, chosen;
  double least = least_use(model.A);
  for (Index j = 0; j < model.rank(); ++j) {
    if (since.size() > 0 && since[j] == 0) continue;
    const bool vanished = model.W.col(j).isZero(T(0));
    if (!vanished && model.A(j, j) > least) continue;
    if (!candidates) candidates.emplace(batch, ranks, model);
    const auto sample = candidates->next();
    if (!sample) break;
    atoms.push_back(j);
    chosen.push_back(*sample);
    model.A.row(j).setZero();
    model.A.col(j).setZero();
    model.B.col(j).setZero();
    least = least_use(model.A);
  }
  if (atoms.empty()) return atoms;
  const Matrix<T> samples = candidates->samples(chosen);
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    ++model.reseeded;
    auto w = model.W.col(atoms[k]);
    w = samples.col(Index(k));
    if (const T norm = w.stableNorm(); norm > 0) w /= norm;
    std::visit([&](const auto& c) { c.template project<T>(w); }, model.settings.constraint.value());
  }
  return atoms;
}

template std::vector<Index> reseed_dead_atoms(const Batch<float>&, const Ranks&,
                                              const Vector<double>&, Model<float>&);
template std::vector<Index> reseed_dead_atoms(const Batch<double>&, const Ranks&,
                                              const Vector<double>&, Model<double>&);

}  // namespace tamis
