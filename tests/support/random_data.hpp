// Random inputs for tests, the same in every run.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string_view>

#include "tamis/types.hpp"

namespace judge {

class RandomData {
 public:
  explicit RandomData(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double normal() { return std::normal_distribution<double>()(engine_); }
  tamis::Index index(tamis::Index size) {
    return tamis::Index(uniform(0, 1) * double(size)) % size;
  }

  tamis::Vector<double> normal_vector(tamis::Index n, double scale = 1) {
    return tamis::Vector<double>::NullaryExpr(n, [&] { return scale * normal(); });
  }
  tamis::Matrix<double> uniform_matrix(tamis::Index rows, tamis::Index cols) {
    return tamis::Matrix<double>::NullaryExpr(rows, cols, [&] { return uniform(0, 1); });
  }

 private:
  std::mt19937_64 engine_;
};

// Slow builds (sanitizers) set TAMIS_TEST_EFFORT=small and get fewer instances of everything.
inline bool small_effort() {
  const char* effort = std::getenv("TAMIS_TEST_EFFORT");
  return effort != nullptr && std::string_view(effort) == "small";
}

}  // namespace judge
