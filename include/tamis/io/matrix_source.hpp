// Samples in memory: the columns of a matrix that stays where it is.
#pragma once

#include "tamis/io/source.hpp"

namespace tamis {

template <class T>
class MatrixSource final : public Source<T> {
 public:
  // V must outlive the source unless Eigen has to copy it (an expression, another layout).
  template <class Samples>
  explicit MatrixSource(const Eigen::MatrixBase<Samples>& V) : V_(V.derived()) {}
  // Weights, one per column, are copied.
  template <class Samples>
  MatrixSource(const Eigen::MatrixBase<Samples>& V, const ConstVectorRef<double>& weights)
      : V_(V.derived()), weights_(weights) {
    check_weights();
  }
  MatrixSource(const MatrixSource&) = delete;
  MatrixSource& operator=(const MatrixSource&) = delete;
  ~MatrixSource() override = default;

  Index features() const override { return V_.rows(); }
  std::optional<Index> samples() const override { return V_.cols(); }
  bool can_be_shared() const override { return true; }
  void start(const Pass& pass) override;
  bool read(Index most, SampleBlock<T>& block) override;

 private:
  void check_weights() const;

  ConstMatrixRef<T> V_;
  Vector<double> weights_;
  Pass pass_;
  Index taken_ = 0;  // samples of this pass delivered
};

}  // namespace tamis
