#include "tamis/solvers.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithm/registry.hpp"
#include "kernels/blas.hpp"
#include "prepare.hpp"
#include "settings/groups.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view why) {
  throw SettingsError(fmt::format("{} {}", name, why));
}

// What else makes no sense in a fit may well do so in a single problem.
void check_groups(std::string_view field, const Groups& groups, Index size) {
  const auto faults = partition_faults(field, groups, size);
  if (!faults.empty()) throw SettingsError(fmt::format("{}", fmt::join(faults, "\n")));
}

}  // namespace

template <class T>
Encoding<T> solve_codes(ConstMatrixRef<T> W, ConstMatrixRef<T> V, double lambda,
                        const Settings& given) {
  Settings settings = given.resolved();
  const AlgorithmScope scope =
      std::visit([](const auto& a) { return a.scope; }, settings.algorithm);
  if (!scope.outliers && !std::isinf(lambda))
    refuse(name_of(settings.algorithm), "has no outlier term: lambda must be inf");
  settings.missing = scope.missing;
  settings.allow_negative = true;
  settings.normalize = NormalizeNone{};
  check_groups("code_groups", settings.code_groups, W.cols());
  check_groups("outlier_groups", settings.outlier_groups, W.rows());
  const bool whole = std::visit([](const auto& a) { return a.whole; }, settings.algorithm);
  if (whole) {
    refuse(name_of(settings.algorithm),
           "has no subproblems of its own: it takes one step on each in turn");
  }

  const blas::SingleThreaded guard;
  const Matrix<T> dictionary = W;
  Batch<T> batch;
  const Executor executor(settings.threads);
  prepare<T>(V, {}, settings, W.rows(), executor, batch);
  batch.resize_results(W.cols());
  auto work = make_work<T>(settings);
  const Problem<T> problem(settings, lambda);
  std::visit([&](auto& w) { w.encode(dictionary, problem, executor, batch); }, work);
  Encoding<T> encoding = encoding_of(batch);
  encoding.regularized = std::visit([](const auto& w) { return has_regularized(w); }, work);
  return encoding;
}

template <class T>
Matrix<T> solve_dictionary(ConstMatrixRef<T> W_start, const Matrix<double>& A,
                           const Matrix<double>& B, const Settings& settings) {
  const Index K = W_start.cols();
  if (A.rows() != K || A.cols() != K || B.rows() != W_start.rows() || B.cols() != K) {
    throw DataError("A must be K×K and B F×K for a W of F×K");
  }
  const blas::SingleThreaded guard;
  Matrix<T> W = W_start;
  DictionaryProblem<T> problem;
  problem.set(A, B, settings.resolved().constraint.value(), settings.dictionary_penalty);
  auto work = make_work<T>(settings);
  std::visit(
      [&](auto& w) {
        if constexpr (requires { w.minimise(problem, W); }) {
          w.minimise(problem, W);
        } else {
          refuse(name_of(settings.algorithm), "has no update that knows only A and B");
        }
      },
      work);
  return W;
}

template Encoding<float> solve_codes(ConstMatrixRef<float>, ConstMatrixRef<float>, double,
                                     const Settings&);
template Encoding<double> solve_codes(ConstMatrixRef<double>, ConstMatrixRef<double>, double,
                                      const Settings&);
template Matrix<float> solve_dictionary(ConstMatrixRef<float>, const Matrix<double>&,
                                        const Matrix<double>&, const Settings&);
template Matrix<double> solve_dictionary(ConstMatrixRef<double>, const Matrix<double>&,
                                         const Matrix<double>&, const Settings&);

}  // namespace tamis
