// Entries as they are stored, to and from numbers to compute with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tamis/io/sample_format.hpp"
#include "tamis/types.hpp"

namespace tamis {

// How numbers to compute with are stored as they are
template <class T>
constexpr ElementType element_type() {
  return std::is_same_v<T, float> ? ElementType::f32 : ElementType::f64;
}

// Calls work(Stored{}) with a value of the type that is stored.
template <class Work>
decltype(auto) with_type(ElementType type, Work&& work) {
  switch (type) {
    case ElementType::u8:
      return work(std::uint8_t{});
    case ElementType::u16:
      return work(std::uint16_t{});
    case ElementType::f32:
      return work(float{});
    case ElementType::f64:
      break;
  }
  return work(double{});
}

// count stored entries, divided by unit. The bytes need not be aligned.
template <class T>
void from_stored(const std::byte* from, ElementType type, double unit, Index count, T* to) {
  with_type(type, [&]<class Stored>(Stored) {
    for (Index i = 0; i < count; ++i) {
      Stored value;
      std::memcpy(&value, from + i * Index(sizeof(Stored)), sizeof(Stored));
      to[i] = T(value);
    }
  });
  if (unit == 1) return;
  for (Index i = 0; i < count; ++i) to[i] /= T(unit);
}

// Integers are rounded and clipped to what they can hold; NaN becomes 0.
template <class Stored, class T>
Stored stored(T value) {
  if constexpr (std::is_floating_point_v<Stored>) {
    return Stored(value);
  } else {
    constexpr T most = std::numeric_limits<Stored>::max();
    return value > T(0) ? Stored(std::lround(std::min(value, most))) : Stored(0);
  }
}

// count numbers, multiplied by unit.
template <class T>
void to_stored(const T* from, Index count, ElementType type, double unit, std::byte* to) {
  with_type(type, [&]<class Stored>(Stored) {
    for (Index i = 0; i < count; ++i) {
      const auto value = stored<Stored>(from[i] * T(unit));
      std::memcpy(to + i * Index(sizeof(Stored)), &value, sizeof(Stored));
    }
  });
}

}  // namespace tamis
