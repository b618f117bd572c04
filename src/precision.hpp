// What a precision can hold.
#pragma once

#include <limits>
#include <string_view>
#include <type_traits>

namespace tamis {

// Smaller squares have lost digits, or are 0.
template <class T>
inline constexpr T least_square = std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();

template <class T>
inline constexpr bool is_single = std::is_same_v<T, float>;
// The end of an advice
template <class T>
inline constexpr std::string_view or_wider = is_single<T> ? ", or use double precision" : "";

}  // namespace tamis
