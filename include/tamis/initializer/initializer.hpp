// Registry of the ways to choose W₀. `make` returns it before the projection onto C.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "tamis/types.hpp"

namespace tamis {

// Entries uniform on [0, 1].
struct UniformInit {
  static constexpr std::string_view name = "uniform";
  static constexpr std::string_view help = "entries uniform on [0, 1]";

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  template <class T>
  Matrix<T> make(ConstMatrixRef<T> V, Index K, std::uint64_t seed) const;
};

// Entries |N(0, 1)|.
struct HalfNormalInit {
  static constexpr std::string_view name = "half-normal";
  static constexpr std::string_view help = "entries |N(0, 1)|";

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  template <class T>
  Matrix<T> make(ConstMatrixRef<T> V, Index K, std::uint64_t seed) const;
};

// K different samples of the first mini-batch, chosen at random, scaled to unit norm.
struct SamplesInit {
  static constexpr std::string_view name = "samples";
  static constexpr std::string_view help = "random samples of the first mini-batch";

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  template <class T>
  Matrix<T> make(ConstMatrixRef<T> V, Index K, std::uint64_t seed) const;
};

// Nonnegative double SVD (Boutsidis, Gallopoulos 2008) of the first mini-batch.
struct NndsvdInit {
  static constexpr std::string_view name = "nndsvd";
  static constexpr std::string_view help = "nonnegative double SVD of the first mini-batch";

  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}

  template <class T>
  Matrix<T> make(ConstMatrixRef<T> V, Index K, std::uint64_t seed) const;
};

using Init = std::variant<UniformInit, HalfNormalInit, SamplesInit, NndsvdInit>;

}  // namespace tamis
