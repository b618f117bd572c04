// From an algorithm's settings to the object that does its work. One line per algorithm.
//
// A work class has: a constructor from its settings and all settings; encode(W, problem, executor,
// batch), which fills batch.H, Y, loss and constant; update(executor, batch, sums, model), which
// improves model.W for model.A and model.B; and state(self, archive), which lists what has to be
// saved besides the model. A batch algorithm also has recall(batch): H and Y as its latest encode
// made them, from what was saved. One whose update needs no more than A and B also has
// minimise(dictionary problem, W), its update for any statistics. One that solves linear equations
// has regularized(), see regularized.hpp.
#pragma once

#include <optional>
#include <type_traits>
#include <variant>

#include "algorithm/badmm.hpp"
#include "algorithm/bpgd.hpp"
#include "algorithm/fast.hpp"
#include "algorithm/online.hpp"
#include "algorithm/onmf.hpp"
#include "algorithm/orpca.hpp"
#include "algorithm/regularized.hpp"

namespace tamis {

template <class T>
using AlgorithmWork = std::variant<FastAlgorithm<T>,   //
                                   OpgdAlgorithm<T>,   //
                                   OadmmAlgorithm<T>,  //
                                   BpgdAlgorithm<T>,   //
                                   BadmmAlgorithm<T>,  //
                                   OrpcaAlgorithm<T>,  //
                                   OnmfAlgorithm<T>>;

namespace detail {

// The alternative that is constructed from these settings; exactly one is.
template <class Chosen, class... Works>
std::variant<Works...> construct(const Chosen& chosen, const Settings& settings,
                                 std::type_identity<std::variant<Works...>>) {
  static_assert((int(std::is_constructible_v<Works, const Chosen&, const Settings&>) + ...) == 1);
  std::optional<std::variant<Works...>> work;
  const auto try_one = [&]<class Work>(std::type_identity<Work>) {
    if constexpr (std::is_constructible_v<Work, const Chosen&, const Settings&>) {
      work.emplace(std::in_place_type<Work>, chosen, settings);
    }
  };
  (try_one(std::type_identity<Works>{}), ...);
  return std::move(*work);
}

}  // namespace detail

template <class T>
AlgorithmWork<T> make_work(const Settings& settings) {
  return std::visit(
      [&](const auto& chosen) {
        return detail::construct(chosen, settings, std::type_identity<AlgorithmWork<T>>{});
      },
      settings.algorithm);
}

}  // namespace tamis
