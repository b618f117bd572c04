#include "tamis/io/source.hpp"

#include "kernels/range.hpp"

namespace tamis {

template <class T>
void SampleBlock<T>::to_numbers() {
  V = bytes.template cast<T>() / T(unit);
  bytes.resize(0, 0);
}

template <class T>
void SampleBlock<T>::examine() {
  largest.resize(V.cols());
  for (Index j = 0; j < V.cols(); ++j) {
    const auto range = kernels::range(V.col(j).data(), V.rows());
    if (!range.finite || range.smallest < 0) {
      largest.resize(0);
      return;
    }
    largest[j] = range.largest;
  }
}

template struct SampleBlock<float>;
template struct SampleBlock<double>;

}  // namespace tamis
