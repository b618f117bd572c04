// What all generators do with their output.
#pragma once

#include <type_traits>

#include "tamis/generate/generator.hpp"

namespace tamis {

template <class T>
constexpr ElementType element_type() {
  return std::is_same_v<T, float> ? ElementType::f32 : ElementType::f64;
}

// Room for n samples.
template <class T>
void resize_samples(Generated<T>& out, Index F, Index n) {
  out.V.resize(F, n);
  out.clean.resize(F, n);
  out.outliers.resize(F, n);
}

}  // namespace tamis
