#include "ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tamis/error.hpp"

namespace tamis {
namespace {

// What one rank alone would remember of its own samples
void check_algorithm(const Settings& settings) {
  const auto refuse = [&](std::string_view why) {
    throw SettingsError(fmt::format("{} {}: run it in one process, or use another algorithm",
                                    name_of(settings.algorithm), why));
  };
  const bool whole =
      std::visit([](const auto& algorithm) { return algorithm.whole; }, settings.algorithm);
  if (whole) refuse("needs all samples at once and cannot be distributed over ranks");
  if (std::holds_alternative<Onmf>(settings.algorithm))
    refuse("keeps a buffer of samples and cannot be distributed over ranks");
  const auto* fast = std::get_if<Fast>(&settings.algorithm);
  if (fast != nullptr && fast->warm_start)
    refuse("with warm_start needs each mini-batch before the next, which ranks do not have");
}

template <class Problem>
void check_same(const Matrix<double>& all, Index row, Problem&& problem) {
  for (Index rank = 1; rank < all.cols(); ++rank)
    if (all(row, rank) != all(row, 0)) problem(rank, all(row, rank), all(row, 0));
}

}  // namespace

Ranks::Ranks(const Distribution& distribution, const Settings& settings)
    : distribution_(distribution), comm_(distribution.comm) {
  if (distribution.sync_every < 1) {
    throw SettingsError(
        fmt::format("sync_every = {}, must be at least 1", distribution.sync_every));
  }
  if (!alone()) check_algorithm(settings);
}

Share Ranks::share(Index batch) const {
  return share_samples() ? Share{rank(), size(), batch} : Share{};
}

Wire Ranks::wire() const {
  if (alone()) return Wire::none;
  return distribution_.float_wire ? Wire::as_float : Wire::as_double;
}

std::string Ranks::manner() const {
  if (alone()) return {};
  return fmt::format(" own {} sync_every {} float_wire {} async {}", distribution_.own_samples,
                     distribution_.sync_every, distribution_.float_wire, distribution_.async);
}

Matrix<double> Ranks::table(std::initializer_list<double> mine) const {
  Matrix<double> all = Matrix<double>::Zero(Index(mine.size()), size());
  std::ranges::copy(mine, all.col(rank()).begin());
  all_reduce({all.data(), std::size_t(all.size())});
  return all;
}

std::vector<Index> Ranks::counts(Index mine) const {
  const Matrix<double> all = table({double(mine)});
  std::vector<Index> counts(std::size_t(size()), 0);
  std::ranges::transform(all.reshaped(), counts.begin(), [](double n) { return Index(n); });
  return counts;
}

// x + 0 = x: everyone adds to a place of its own.
template <class T>
Matrix<T> Ranks::gathered(ConstMatrixRef<T> mine, std::span<const Index> counts) const {
  const auto us = counts.begin() + rank();
  Matrix<double> all =
      Matrix<double>::Zero(mine.rows(), std::accumulate(counts.begin(), counts.end(), Index(0)));
  all.middleCols(std::accumulate(counts.begin(), us, Index(0)), mine.cols()) =
      mine.template cast<double>();
  all_reduce({all.data(), std::size_t(all.size())});
  return all.template cast<T>();
}

void Ranks::take_from_first(std::span<double> values) const {
  if (rank() != 0) std::ranges::fill(values, 0.0);
  all_reduce(values);
}

std::optional<Index> introduce(const Ranks& ranks, const Introduction& mine) {
  const Matrix<double> all =
      ranks.table({double(mine.features), double(mine.samples), mine.unit, double(mine.settings),
                   double(mine.state), double(mine.precision)});
  check_same(all, 0, [](Index rank, double here, double first) {
    throw DataError(fmt::format("the samples of rank {} have {} features, those of rank 0 have {}",
                                rank, here, first));
  });
  check_same(all, 5, [](Index rank, double here, double first) {
    throw DataError(
        fmt::format("rank {} computes with numbers of {} bytes, rank 0 with {}: all ranks need "
                    "samples of the same type",
                    rank, here, first));
  });
  check_same(all, 2, [](Index rank, double here, double first) {
    throw DataError(
        fmt::format("the entries of rank {} are divided by {}, those of rank 0 by {}: all ranks "
                    "need samples of the same kind",
                    rank, here, first));
  });
  check_same(all, 3, [](Index rank, auto...) {
    throw SettingsError(
        fmt::format("rank {} has other settings than rank 0: all need the same", rank));
  });
  check_same(all, 4, [](Index rank, auto...) {
    throw DataError(
        fmt::format("rank {} goes on from another model than rank 0: all need the same", rank));
  });
  if (ranks.share_samples()) {
    check_same(all, 1, [](Index rank, double here, double first) {
      throw DataError(
          fmt::format("rank {} sees {} samples, rank 0 sees {}: all ranks need the same input",
                      rank, here, first));
    });
  }
  if (all.row(1).minCoeff() < 0) return {};
  return Index(ranks.own_samples() ? all.row(1).sum() : all(1, 0));
}

template Matrix<float> Ranks::gathered(ConstMatrixRef<float>, std::span<const Index>) const;
template Matrix<double> Ranks::gathered(ConstMatrixRef<double>, std::span<const Index>) const;

}  // namespace tamis
