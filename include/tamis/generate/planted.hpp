// Data whose true factors are known.
#pragma once

#include "tamis/types.hpp"

namespace tamis {

template <class T>
struct Planted {
  Matrix<T> V;      // F×N, contaminated
  Matrix<T> clean;  // V°
  Matrix<T> R;      // R°, what was added before clipping; exactly 0 where nothing was
  Matrix<T> W;      // W°, F×K
  Matrix<T> H;      // H°, K×N
};

}  // namespace tamis
