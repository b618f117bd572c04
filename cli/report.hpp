// What a fit did, in words and as JSON.
#pragma once

#include <string>

#include "common.hpp"
#include "tamis/result.hpp"

namespace tamis {

template <class T>
std::string summary(const FitResult<T>& result);

// status, settings, counts, seconds per phase, the end of the objective's trace
template <class T>
Json to_json(const FitResult<T>& result);

// Infinity and NaN as text: JSON has no numbers for them.
Json number(double value);

}  // namespace tamis
