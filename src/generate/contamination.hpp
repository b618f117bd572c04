// Contaminates one column at a time, whichever comes first: what happens to column j depends on j,
// the number of columns and the options alone.
#pragma once

#include "random/permutation.hpp"
#include "tamis/generate/corrupt.hpp"
#include "tamis/types.hpp"

namespace tamis {

class Contamination {
 public:
  // Of N columns. Throws SettingsError if an option is out of range.
  Contamination(const CorruptOptions& options, Index N);

  // v ← clip(clean + r + noise, 0, 1). Throws DataError if the data is not in [0, 1].
  template <class T>
  void apply(Index column, ConstVectorRef<T> clean, VectorRef<T> v, VectorRef<T> r) const;

 private:
  CorruptOptions options_;
  // A random order of the columns: the first ⌊νN⌋ places have outliers.
  Permutation place_;
  Index columns_with_outliers_ = 0;
};

}  // namespace tamis
