#include "tamis/model.hpp"

#include <fmt/format.h>

#include "algorithm/registry.hpp"
#include "io/state_file.hpp"
#include "kernels/blas.hpp"
#include "prepare.hpp"
#include "surrogate.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

// The solver for finished models: `fast`, since its problem is everyone's, unless the algorithm has
// one of its own.
Settings for_encoding(const Settings& settings, const EncodeOptions& options) {
  Settings result = settings;
  const bool is_its_own =
      std::visit([](const auto& a) { return a.scope.signed_codes; }, settings.algorithm);
  if (!is_its_own && !std::holds_alternative<Fast>(settings.algorithm)) result.algorithm = Fast{};
  std::visit(
      [&](auto& solver) {
        if constexpr (requires { solver.tolerance, solver.iterations; }) {
          solver.tolerance = options.tolerance;
          solver.iterations = options.iterations;
        }
      },
      result.algorithm);
  return result;
}

}  // namespace

template <class T>
DictionaryPenalty Model<T>::dictionary_penalty() const {
  DictionaryPenalty penalty = settings.dictionary_penalty;
  std::visit(
      [&](const auto& algorithm) {
        if constexpr (requires { algorithm.dictionary_ridge(features(), weight); })
          penalty.l2 += algorithm.dictionary_ridge(features(), weight);
      },
      settings.algorithm);
  return penalty;
}

template <class T>
double Model<T>::surrogate() const {
  const blas::SingleThreaded guard;
  return Surrogate<T>().value(*this, Executor());
}

template <class T>
Encoding<T> Model<T>::encode(ConstMatrixRef<T> V, const EncodeOptions& options) const {
  if (!trained()) throw DataError("the model has not been trained: nothing to encode with");
  if (!(options.tolerance >= 0) || options.iterations < 1) {
    throw SettingsError(
        fmt::format("tolerance = {} must not be negative, iterations = {} at least 1",
                    options.tolerance, options.iterations));
  }
  const blas::SingleThreaded guard;
  Batch<T> batch;
  const Executor executor(options.threads);
  prepare<T>(V, {}, settings, features(), executor, batch);
  batch.resize_results(rank());
  auto work = make_work<T>(for_encoding(settings, options));
  const Problem<T> problem(settings, lambda);
  std::visit([&](auto& w) { w.encode(W, problem, executor, batch); }, work);
  Encoding<T> encoding = encoding_of(batch);
  encoding.regularized = std::visit([](const auto& w) { return has_regularized(w); }, work);
  return encoding;
}

template <class T>
Matrix<T> Model<T>::reconstruct(ConstMatrixRef<T> H) const {
  if (H.rows() != rank()) {
    throw DataError(fmt::format("the codes have {} rows, the model has rank {}", H.rows(), rank()));
  }
  const blas::SingleThreaded guard;
  Matrix<T> V(features(), H.cols());
  blas::gemm('N', 'N', T(1), W, H, T(0), V);
  return V;
}

template <class T>
void Model<T>::save(const std::string& path) const {
  save_state(path, *this);
}

template <class T>
Model<T> Model<T>::load(const std::string& path) {
  Model model;
  model.settings = load_settings(path);
  load_state(path, model);
  return model;
}

template struct Model<float>;
template struct Model<double>;

}  // namespace tamis
