// The published algorithms transcribed as they are written, in double, one sample at a time, with
// nothing clever: explicit inverses, explicit residuals, no statistics but sums over stored
// samples. Slow on purpose. Of the library only the random numbers are used, so that both start
// from the same point.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>

#include "tamis/settings.hpp"
#include "tamis/types.hpp"

namespace tamis::textbook {

using Mat = Eigen::MatrixXd;
using Vec = Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();

enum class Set { ball, nonneg, simplex, none };
enum class Fading { none, poly, decay };

// The numbers that the formulas speak of.
struct Numbers {
  std::string name = {};
  Index K = 4;
  double lambda = 0.2;
  double M = 1;
  bool nonneg_outliers = false;
  double outlier_l2 = 0;  // ν₂ of λ‖r‖₁ + ν₂/2‖r‖²
  double code_l1 = 0;     // ψ(h) = code_l1‖h‖₁ + code_l2/2‖h‖²
  double code_l2 = 0;
  double dictionary_l1 = 0;
  double dictionary_l2 = 0;
  Set set = Set::ball;
  double kappa_h = 0.7, kappa_w = 0.7;
  double rho1 = 1, rho2 = 1, rho3 = 1;
  Index tau = 5;
  Index epochs = 2;
  bool late = false;  // each mini-batch is learned from after the next one of the pass is encoded
  bool scale_to_unit_maximum = false;
  Fading fading = Fading::none;  // only `fast`
  double fading_parameter = 0;   // θ or γ
  Index sweeps = 2;
  Index iterations = 10;         // encoder of `fast`; passes of the batch algorithms
  double encoder_tolerance = 0;  // of `fast`
  double rho = 0.1;              // of `fast`, in units of tr(WᵀW)/K
  double lambda1 = 0.1;          // of `orpca`
  bool unit_columns = false;
  Index buffer = 256;  // of `onmf`
  Index steps = 20;
  double theta = 0.01;
  std::uint64_t seed = 11;

  // The same in the library's words.
  Settings settings(const Algorithm& algorithm) const;
};

// For messages of parameterised tests
inline void PrintTo(const Numbers& numbers, std::ostream* out) { *out << numbers.name; }

struct State {
  Mat W;
  Mat A;         // mean of hhᵀ
  Mat B;         // mean of (v − r)hᵀ
  double c = 0;  // mean of ½‖v − r‖² + φ(r) + ψ(h)
  Mat H, R;      // codes and outliers of the last pass, in input units
};

struct Code {
  Vec h, r;
};

// Elements of the formulas
Mat initial_dictionary(const Numbers& numbers, Index F);
Vec initial_code(const Numbers& numbers, Index epoch, Index sample);
Vec initial_outlier(const Numbers& numbers, Index F, Index epoch, Index sample);
Vec project_column(Set set, Vec y);
Mat project(Set set, Mat Y);                               // P_C
Vec project_outlier(const Numbers& numbers, Vec x);        // P_𝓡
Vec soft_threshold(Vec x, double t);                       // S_t
Vec shrink_outlier(const Numbers& numbers, const Vec& e);  // S̃_{λ,M}, with ν₂
Vec prox_code(const Numbers& numbers, Vec x, double t);  // argmin over h ≥ 0 of ½‖h − x‖² + tψ(h)
double outlier_penalty(const Numbers& numbers, const Vec& r);
double code_penalty(const Numbers& numbers, const Vec& h);
double sample_scale(const Numbers& numbers, const Vec& v);
double squared_spectral_norm(const Mat& W);

// Whole fits
State opgd(const Numbers& numbers, const Mat& V);
State oadmm(const Numbers& numbers, const Mat& V);
State fast(const Numbers& numbers, const Mat& V);
State bpgd(const Numbers& numbers, const Mat& V);
State badmm(const Numbers& numbers, const Mat& V);
State orpca(const Numbers& numbers, const Mat& V);
State onmf(const Numbers& numbers, const Mat& V);

}  // namespace tamis::textbook
