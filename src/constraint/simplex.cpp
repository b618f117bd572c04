#include "tamis/constraint/simplex.hpp"

#include "kernels/simplex.hpp"

namespace tamis {

template <class T>
void Simplex::project(VectorRef<T> w) const {
  kernels::project_to_simplex(w.data(), w.size());
}

template void Simplex::project(VectorRef<float>) const;
template void Simplex::project(VectorRef<double>) const;

}  // namespace tamis
