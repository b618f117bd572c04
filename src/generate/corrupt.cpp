#include "tamis/generate/corrupt.hpp"

#include "generate/contamination.hpp"

namespace tamis {

template <class T>
Corrupted<T> corrupt(ConstMatrixRef<T> clean, const CorruptOptions& options) {
  const Contamination contamination(options, clean.cols());
  Corrupted<T> result{Matrix<T>(clean.rows(), clean.cols()), Matrix<T>(clean.rows(), clean.cols())};
  for (Index j = 0; j < clean.cols(); ++j)
    contamination.apply<T>(j, clean.col(j), result.V.col(j), result.R.col(j));
  return result;
}

template Corrupted<float> corrupt(ConstMatrixRef<float>, const CorruptOptions&);
template Corrupted<double> corrupt(ConstMatrixRef<double>, const CorruptOptions&);

}  // namespace tamis
