// A model as a dict of its settings, arrays and numbers, for processes that compute with it.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "estimator.hpp"

namespace tamis::python {

// A and B only if it is to be complete: without them samples can be encoded, but not learned from.
template <class T>
pybind11::dict model_state(Estimator<T>& estimator, bool complete);
// What is not in the dict is 0.
template <class T>
std::unique_ptr<Estimator<T>> from_model_state(const pybind11::dict& state);

}  // namespace tamis::python
