#include "dictionary/reseed.hpp"

#include <cmath>
#include <optional>

#include "dictionary/coordinate.hpp"
#include "random/random.hpp"

namespace tamis {

template <class T>
void reseed_dead_atoms(const Batch<T>& batch, Model<T>& model) {
  // Different atoms take different samples: equal atoms would never part again.
  const Index offset =
      RandomStream(model.settings.seed, Purpose::reseed, 0, model.batches).below(batch.size());
  Index tried = 0;
  const auto next_sample = [&]() -> std::optional<Index> {
    while (tried < batch.size()) {
      const Index sample = (offset + tried++) % batch.size();
      if (batch.weight[sample] > 0) return sample;
    }
    return {};
  };
  for (Index j = 0; j < model.rank(); ++j) {
    const bool vanished = model.W.col(j).isZero(T(0));
    if (!vanished && !is_dead(model.A, j)) continue;
    const auto chosen = next_sample();
    if (!chosen) return;
    const Index sample = *chosen;
    ++model.reseeded;
    auto w = model.W.col(j);
    // Where the sample has no value its prediction stands in.
    for (Index i = 0; i < w.size(); ++i)
      w[i] = std::isnan(batch.value(i, sample)) ? batch.Y(i, sample) : batch.value(i, sample);
    if (const T norm = w.stableNorm(); norm > 0) w /= norm;
    std::visit([&](const auto& c) { c.template project<T>(w); }, model.settings.constraint.value());
    model.A.row(j).setZero();
    model.A.col(j).setZero();
    model.B.col(j).setZero();
  }
}

template void reseed_dead_atoms(const Batch<float>&, Model<float>&);
template void reseed_dead_atoms(const Batch<double>&, Model<double>&);

}  // namespace tamis
