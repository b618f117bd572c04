// Steps that theory calls descent, on data that make them hard: none may raise its objective, in
// either precision.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/kit.hpp"
#include "support/random_data.hpp"

namespace tamis::test {
namespace {

constexpr Index F = 15;
constexpr Index K = 5;
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
constexpr double rounding = 64 * double(std::numeric_limits<T>::epsilon());

struct Named {
  std::string name;
  Matrix<double> value;
};

// Dictionaries whose Gram matrix is hard to deal with
std::vector<Named> hard_dictionaries() {
  judge::RandomData random(31);
  const Matrix<double> plain = random.uniform_matrix(F, K);
  std::vector<Named> all{{"plain", plain},
                         {"zero", Matrix<double>::Zero(F, K)},
                         {"equal atoms", plain.col(0).replicate(1, K)},
                         {"nearly equal atoms", plain},
                         {"an empty atom", plain},
                         {"large", plain * 1e4},
                         {"small", plain * 1e-4},
                         {"uneven", plain}};
  for (Index k = 1; k < K; ++k) all[3].value.col(k) = plain.col(0) + 1e-5 * plain.col(k);
  all[4].value.col(2).setZero();
  for (Index k = 0; k < K; ++k) all[7].value.col(k) *= std::pow(10.0, double(k) - 2);
  return all;
}

// Codes whose products hhᵀ are hard to deal with
std::vector<Named> hard_codes() {
  judge::RandomData random(32);
  const Matrix<double> plain = random.uniform_matrix(K, 30);
  std::vector<Named> all{{"plain", plain},
                         {"zero", Matrix<double>::Zero(K, 30)},
                         {"one sample", plain.leftCols(1)},
                         {"equal codes", plain.row(0).replicate(K, 1)},
                         {"an unused atom", plain},
                         {"large", plain * 1e6},
                         {"small", plain * 1e-6},
                         {"uneven", plain}};
  all[4].value.row(1).setZero();
  for (Index k = 0; k < K; ++k) all[7].value.row(k) *= std::pow(10.0, 2 * double(k) - 4);
  return all;
}

template <class T>
void expect_update_descends(const Settings& settings, const Matrix<double>& W_start,
                            const Matrix<double>& A, const Matrix<double>& B) {
  const auto p = [&](const Matrix<double>& W) {
    return ((W.transpose() * W).cwiseProduct(A)).sum() / 2 - W.cwiseProduct(B).sum();
  };
  const auto before = Matrix<T>(W_start.cast<T>());
  const Matrix<T> after = solve_dictionary<T>(before, A, B, settings);
  ASSERT_TRUE(after.allFinite());
  EXPECT_TRUE(is_feasible(settings, after, rounding<T>));
  const auto W = Matrix<double>(before.template cast<double>());
  const double size =
      ((W.transpose() * W).cwiseProduct(A)).cwiseAbs().sum() + W.cwiseProduct(B).cwiseAbs().sum();
  EXPECT_LE(p(after.template cast<double>()), p(W) + rounding<T> * size);
}

TEST(Descent, UpdatesOfTheDictionaryNeverRaiseTheSurrogate) {
  judge::RandomData random(33);
  const std::vector<Algorithm> algorithms{Fast{}, Opgd{}, Orpca{}};
  for (const Algorithm& algorithm : algorithms) {
    std::vector<Constraint> sets{Ball{}, NonNegative{}, Simplex{}, ElasticNetBall{}};
    if (!scope_of(algorithm).constraint.empty()) sets = {Unconstrained{}};
    for (const Constraint& set : sets) {
      for (const Named& H : hard_codes()) {
        SCOPED_TRACE(std::string(name_of(algorithm)) + ", " + std::string(name_of(set)) + ", " +
                     H.name);
        Settings settings = plain_settings(K, algorithm);
        settings.constraint = set;
        const auto n = double(H.value.cols());
        const Matrix<double> V = random.uniform_matrix(F, H.value.cols());
        Matrix<double> W = random.uniform_matrix(F, K);
        for (Index k = 0; k < K; ++k)
          std::visit([&](const auto& c) { c.template project<double>(W.col(k)); }, set);
        const Matrix<double> A = H.value * H.value.transpose() / n;
        const Matrix<double> B = V * H.value.transpose() / n;
        expect_update_descends<float>(settings, W, A, B);
        expect_update_descends<double>(settings, W, A, B);
      }
    }
  }
}

Algorithm stopped_after(Index iterations, const Opgd&) {
  return Opgd{.stopping = {.tolerance = 0, .iterations = iterations}};
}
Algorithm stopped_after(Index iterations, const Orpca&) {
  return Orpca{.tolerance = 0, .iterations = iterations};
}

template <class T, class Chosen>
void expect_encoding_descends(const Matrix<double>& W, const Matrix<double>& V, double lambda) {
  Vector<double> lowest = Vector<double>::Constant(V.cols(), infinity);
  double size = 0;
  for (const Index iterations : {1, 2, 3, 5, 8, 13, 50, 300}) {
    const Settings settings = plain_settings(K, stopped_after(iterations, Chosen{}));
    const auto found = solve_codes<T>(W.cast<T>(), V.cast<T>(), lambda, settings);
    ASSERT_TRUE(found.H.allFinite());
    EXPECT_LE(found.iterations, iterations);
    if (iterations == 1) size = found.loss.maxCoeff() + V.cwiseAbs2().sum();
    for (Index j = 0; j < V.cols(); ++j)
      EXPECT_LE(found.loss[j], lowest[j] + rounding<T> * size) << iterations;
    lowest = lowest.cwiseMin(found.loss);
  }
}

TEST(Descent, StepsOfEncodersNeverRaiseTheLoss) {
  judge::RandomData random(34);
  Matrix<double> V = random.uniform_matrix(F, 6);
  V.col(2).setZero();
  for (const Named& W : hard_dictionaries()) {
    for (const double lambda : {0.0, 0.05, 1e9}) {
      SCOPED_TRACE(W.name + ", lambda " + std::to_string(lambda));
      expect_encoding_descends<float, Opgd>(W.value, V, lambda);
      expect_encoding_descends<double, Opgd>(W.value, V, lambda);
      expect_encoding_descends<float, Orpca>(W.value, V, lambda);
      expect_encoding_descends<double, Orpca>(W.value, V, lambda);
    }
  }
}

// Also the encoders that are not descent methods stay sane with them.
template <class T>
void expect_sane_codes(const Algorithm& algorithm, const Matrix<double>& W,
                       const Matrix<double>& V) {
  const double lambda = scope_of(algorithm).outliers ? 0.05 : infinity;
  const Settings settings = plain_settings(K, algorithm);
  const auto found = solve_codes<T>(W.cast<T>(), V.cast<T>(), lambda, settings);
  EXPECT_TRUE(found.H.allFinite());
  EXPECT_TRUE(found.R.allFinite());
  EXPECT_GE(found.H.minCoeff(), T(0));
  EXPECT_TRUE(found.H.col(2).isZero(T(1e-6))) << "of a sample of zeros";
}

TEST(HardDictionaries, GiveFiniteCodes) {
  judge::RandomData random(35);
  Matrix<double> V = random.uniform_matrix(F, 6);
  V.col(2).setZero();
  const Fast accurate{.iterations = 500, .tolerance = 1e-5};
  for (const Named& W : hard_dictionaries()) {
    for (const Algorithm& algorithm : {Algorithm(Fast{}), Algorithm(accurate), Algorithm(Onmf{})}) {
      SCOPED_TRACE(W.name + ", " + std::string(name_of(algorithm)));
      expect_sane_codes<float>(algorithm, W.value, V);
      expect_sane_codes<double>(algorithm, W.value, V);
    }
  }
}

}  // namespace
}  // namespace tamis::test
