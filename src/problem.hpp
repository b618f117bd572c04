// What is minimised for a fixed W: ℓ̃(v, W, h, r) = ½‖v − Wh − r‖² + φ(r) + ψ(h) over h ≥ 0, r ∈ 𝓡.
//
// The solvers see outliers through the cleaned samples y = v − r. A missing entry (NaN in v) is an
// outlier that costs nothing: there y = (Wh), so its residual is 0.
#pragma once

#include "kernels/panel.hpp"
#include "tamis/regularizer/outlier_set.hpp"
#include "tamis/settings.hpp"
#include "tamis/types.hpp"

namespace tamis {

template <class T>
struct Problem {
  // References into the settings, which must outlive this.
  const OutlierPenalty& outlier_penalty;
  const Groups& outlier_groups;
  const CodePenalty& code_penalty;
  const Groups& code_groups;
  OutlierSet<T> outlier_set;
  double lambda;

  Problem(const Settings& settings, double lambda_now);
  // The same problem in another precision
  template <class U>
  explicit Problem(const Problem<U>& other)
      : outlier_penalty(other.outlier_penalty),
        outlier_groups(other.outlier_groups),
        code_penalty(other.code_penalty),
        code_groups(other.code_groups),
        outlier_set{T(other.outlier_set.low), T(other.outlier_set.high)},
        lambda(other.lambda) {}

  // Y ← V − prox_φ(V − P) for the predictions P = WH: the best outliers for given codes. Entrywise
  // penalties may be given any rows of V and P, the others need whole columns.
  void clean(ConstMatrixRef<T> V, ConstMatrixRef<T> P, MatrixRef<T> Y) const;
  bool entrywise() const;

  // The prox of an entrywise penalty
  kernels::Shrinkage<T> shrinkage() const;

  // X ← prox_{tφ}(X) without the box, column by column; NaN stays NaN.
  void prox_outliers_unbounded(MatrixRef<T> X, T t) const;

  // H ← prox_{tψ}(H) over H ≥ 0
  void prox_codes(MatrixRef<T> H, T t) const;
  bool penalises_codes() const;  // false: that prox is P₊

  struct Loss {
    double fit;      // ½‖v − r − Wh‖²
    double penalty;  // φ(r) + ψ(h)
    double energy;   // ½‖v − r‖²
    double total() const { return fit + penalty; }
  };
  // For one sample with prediction p = Wh and y = v − r; `scratch` has F entries.
  Loss loss(ConstVectorRef<T> v, ConstVectorRef<T> p, ConstVectorRef<T> y, ConstVectorRef<T> h,
            VectorRef<T> scratch) const;
  // The same from sums over its entries, for an entrywise penalty
  Loss loss(const kernels::Sums& sums, ConstVectorRef<T> h) const;

 private:
  double quadratic() const;  // ν₂ of an entrywise penalty
};

// r = v − y; 0 where v is missing
template <class T>
void outliers_of(ConstVectorRef<T> v, ConstVectorRef<T> y, VectorRef<T> r) {
  for (Index i = 0; i < v.size(); ++i) r[i] = std::isnan(v[i]) ? T(0) : v[i] - y[i];
}

}  // namespace tamis
