#include "generate/contamination.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "generate/draw.hpp"
#include "generate/options.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

// ⌊share·n⌋ of the exact product: 0.29·100 is just below 29 in binary.
Index count_of(double share, Index n) { return Index(std::floor(share * double(n) + 1e-9)); }

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

}  // namespace

Contamination::Contamination(const CorruptOptions& options, Index N)
    : options_(options), place_(data_order(N, options.seed, DataPart::columns)) {
  check_options(options);
  columns_with_outliers_ = count_of(options.nu, N);
}

template <class T>
void Contamination::apply(Index column, ConstVectorRef<T> clean, VectorRef<T> v,
                          VectorRef<T> r) const {
  // Written so that NaN fails.
  if (!(clean.array() >= T(0) && clean.array() <= T(1)).all())
    throw DataError(
        fmt::format("sample {}: outliers can be added to data in [0, 1] only: scale it first, for "
                    "instance each sample to unit maximum",
                    column));
  r.setZero();
  if (place_(column) < columns_with_outliers_)
    add_outliers<T>(clean, count_of(options_.nu_tilde, clean.size()), options_.kind,
                    data_stream(options_.seed, DataPart::outliers, column), r);
  v = clean + r;
  if (options_.noise > 0) {
    RandomStream random = data_stream(options_.seed, DataPart::noise, column);
    for (Index i = 0; i < v.size(); ++i) v[i] += T(options_.noise) * T(random.normal());
  }
  v = v.cwiseMax(T(0)).cwiseMin(T(1));
}

template void Contamination::apply(Index, ConstVectorRef<float>, VectorRef<float>,
                                   VectorRef<float>) const;
template void Contamination::apply(Index, ConstVectorRef<double>, VectorRef<double>,
                                   VectorRef<double>) const;

}  // namespace tamis
