// What a precision can hold.
#pragma once

#include <limits>

namespace tamis {

// Smaller squares have lost digits, or are 0.
template <class T>
inline constexpr T least_square = std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();

}  // namespace tamis
