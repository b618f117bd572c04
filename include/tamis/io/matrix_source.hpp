// Samples in memory: the columns of a matrix that stays where it is.
#pragma once

#include <vector>

#include "tamis/io/source.hpp"

namespace tamis {

template <class T>
class MatrixSource final : public Source<T> {
 public:
  // V (and the weights, if given, one per column) must outlive the source.
  explicit MatrixSource(ConstMatrixRef<T> V);
  MatrixSource(ConstMatrixRef<T> V, const ConstVectorRef<double>& weights);

  Index features() const override { return V_.rows(); }
  std::optional<Index> samples() const override { return V_.cols(); }
  void start(const Pass& pass) override;
  bool read(Index most, SampleBlock<T>& block) override;

 private:
  ConstMatrixRef<T> V_;
  Vector<double> weights_;
  std::vector<Index> order_;  // empty: as they are
  Index next_ = 0;
};

}  // namespace tamis
