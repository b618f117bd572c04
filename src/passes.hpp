// How often a fit goes over all samples.
#pragma once

#include <type_traits>
#include <variant>

#include "tamis/settings.hpp"

namespace tamis {

// Of a batch algorithm every iteration is a pass, and it may end before these.
inline Index passes_of(const Settings& settings) {
  return std::visit(
      [&](const auto& algorithm) {
        if constexpr (std::decay_t<decltype(algorithm)>::whole)
          return algorithm.stopping.iterations;
        return settings.epochs;
      },
      settings.algorithm);
}

}  // namespace tamis
