// The two subproblems of an algorithm on their own: encoding for a fixed W, and the dictionary
// update for fixed statistics. Training does not go through here; this is for tests, experiments
// and the curious.
#pragma once

#include "tamis/settings.hpp"
#include "tamis/types.hpp"

namespace tamis {

template <class T>
struct Encoding {
  Matrix<T> H;  // K×n codes
  Matrix<T> R;  // F×n outliers; 0 where an entry is missing
  // n: ½‖v − Wh − r‖² + φ(r) + ψ(h) over the observed entries, of the sample as it was solved, that
  // is scaled to unit maximum where the model does so
  Vector<double> loss;
  Index iterations = 0;   // of the sample that needed most
  bool converged = true;  // every sample reached the requested accuracy
  // rounding errors made linear equations singular: they were solved with a small ridge
  bool regularized = false;
};

// argmin over h ≥ 0, r ∈ 𝓡 for each column of V (NaN = missing), with the encoder, penalties,
// iterations and tolerance of `settings`. λ is given as a number, because `auto` and `paper` belong
// to training.
template <class T>
Encoding<T> solve_codes(ConstMatrixRef<T> W, ConstMatrixRef<T> V, double lambda,
                        const Settings& settings);

// argmin over W ∈ C of ½tr(WᵀWA) − tr(WᵀB) + λ₁‖W‖₁,₁ + λ₂/2‖W‖_F², started at W.
template <class T>
Matrix<T> solve_dictionary(ConstMatrixRef<T> W, const Matrix<double>& A, const Matrix<double>& B,
                           const Settings& settings);

}  // namespace tamis
