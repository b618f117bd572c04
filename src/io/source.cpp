#include "tamis/io/source.hpp"

namespace tamis {

template <class T>
void SampleBlock<T>::to_numbers() {
  V = bytes.template cast<T>() / T(unit);
  bytes.resize(0, 0);
}

template struct SampleBlock<float>;
template struct SampleBlock<double>;

}  // namespace tamis
