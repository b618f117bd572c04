// f̃(W) = ½tr(WᵀWA) − tr(WᵀB) + c + penalty on W, panel by panel.
#pragma once

#include <vector>

#include "parallel.hpp"
#include "tamis/model.hpp"

namespace tamis {

// Keeps its memory from call to call.
template <class T>
class Surrogate {
 public:
  double value(const Model<T>& model, const Executor& executor);

 private:
  // What one task of rows contributes
  struct Part {
    Matrix<double> G;           // WᵀW, lower triangle
    double W_B = 0;             // tr(WᵀB)
    double l1 = 0, square = 0;  // ‖W‖₁,₁, ‖W‖_F²
  };
  void add(const Model<T>& model, bool penalised, Index top, Index rows, Matrix<double>& W,
           Part& part) const;

  std::vector<Part> parts_;
  std::vector<Matrix<double>> panels_;  // per thread
};

}  // namespace tamis
