#include "tamis/generate/corrupt.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "generate/draw.hpp"
#include "generate/require.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

// ⌊share·n⌋ of the exact product: 0.29·100 is just below 29 in binary.
Index count_of(double share, Index n) { return Index(std::floor(share * double(n) + 1e-9)); }

// Each column draws a ticket and the lowest ones win, which is a uniform choice.
std::vector<Index> choose_columns(Index count, Index n, std::uint64_t seed) {
  std::vector<double> ticket;
  for (Index j = 0; j < n; ++j) ticket.push_back(data_stream(seed, DataPart::columns, j).uniform());
  std::vector<Index> columns(static_cast<std::size_t>(n));
  std::iota(columns.begin(), columns.end(), Index(0));
  std::ranges::stable_sort(columns, {}, [&](Index j) { return ticket[std::size_t(j)]; });
  columns.resize(static_cast<std::size_t>(count));
  return columns;
}

// What to add to an entry.
double outlier(double clean, OutlierKind kind, RandomStream& random) {
  const double u = 2 * random.uniform() - 1;  // never exactly 0
  return kind == OutlierKind::uniform ? u : (u > 0 ? 1 : 0) - clean;
}

// The beginning of a Fisher–Yates shuffle decides where the outliers are.
template <class T>
void add_outliers(ConstVectorRef<T> clean, Index count, OutlierKind kind, RandomStream random,
                  VectorRef<T> r) {
  std::vector<Index> entries(static_cast<std::size_t>(r.size()));
  std::iota(entries.begin(), entries.end(), Index(0));
  for (Index i = 0; i < count; ++i) {
    std::swap(entries[std::size_t(i)], entries[std::size_t(i + random.below(r.size() - i))]);
    const Index entry = entries[std::size_t(i)];
    r[entry] = T(outlier(double(clean[entry]), kind, random));
  }
}

void check(const CorruptOptions& options) {
  require_share("nu", options.nu);
  require_share("nu_tilde", options.nu_tilde);
  require(options.noise >= 0 && std::isfinite(options.noise), "noise", options.noise,
          "at least 0 and finite");
}

}  // namespace

template <class T>
Corrupted<T> corrupt(ConstMatrixRef<T> clean, const CorruptOptions& options) {
  check(options);
  // Written so that NaN fails.
  if (!(clean.array() >= T(0) && clean.array() <= T(1)).all())
    throw DataError("outliers can be added to data in [0, 1] only: scale it first");

  Corrupted<T> result;
  result.R.setZero(clean.rows(), clean.cols());
  const Index outliers = count_of(options.nu_tilde, clean.rows());
  const Index columns = count_of(options.nu, clean.cols());
  for (const Index j : choose_columns(columns, clean.cols(), options.seed))
    add_outliers<T>(clean.col(j), outliers, options.kind,
                    data_stream(options.seed, DataPart::outliers, j), result.R.col(j));

  result.V = clean + result.R;
  if (options.noise > 0)
    result.V +=
        T(options.noise) * draw<T>(clean.rows(), clean.cols(), options.seed, DataPart::noise,
                                   [](RandomStream& random) { return random.normal(); });
  result.V = result.V.cwiseMax(T(0)).cwiseMin(T(1)).eval();
  return result;
}

template Corrupted<float> corrupt(ConstMatrixRef<float>, const CorruptOptions&);
template Corrupted<double> corrupt(ConstMatrixRef<double>, const CorruptOptions&);

}  // namespace tamis
