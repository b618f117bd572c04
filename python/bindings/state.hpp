// Files and pickles: both hold the complete state, in the library's HDF5 format.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "estimator.hpp"

namespace tamis::python {

// A finished model will do, too; then learning goes on from what the model knows.
template <class T>
std::unique_ptr<Estimator<T>> load_estimator(const std::string& path);

template <class T>
pybind11::bytes to_bytes(Estimator<T>& estimator);
template <class T>
std::unique_ptr<Estimator<T>> from_bytes(const pybind11::bytes& state);

}  // namespace tamis::python
