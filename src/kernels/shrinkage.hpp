// r = clip(S_λ(e)·scale): the outlier of a residual e under an entrywise penalty.
#pragma once

namespace tamis::kernels {

template <class T>
struct Shrinkage {
  T threshold;  // λ
  T scale;      // 1/(1 + ν₂)
  T low, high;  // bounds of 𝓡
};

}  // namespace tamis::kernels
