// How much each atom is used.
#pragma once

#include "tamis/model.hpp"

namespace tamis {

// Share of atom k in the energy of all reconstructions' parts: A_kk‖w_k‖², scaled to sum 1.
template <class T>
Vector<double> usage(const Model<T>& model) {
  Vector<double> energy = model.A.diagonal().cwiseProduct(
      model.W.colwise().squaredNorm().transpose().template cast<double>());
  const double total = energy.sum();
  if (total > 0) energy /= total;
  return energy;
}

}  // namespace tamis
