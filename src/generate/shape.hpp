// What all generators do with their output.
#pragma once

#include "io/convert.hpp"
#include "tamis/generate/generator.hpp"

namespace tamis {

// Room for n samples.
template <class T>
void resize_samples(Generated<T>& out, Index F, Index n) {
  out.V.resize(F, n);
  out.clean.resize(F, n);
  out.outliers.resize(F, n);
}

}  // namespace tamis
