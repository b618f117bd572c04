// What the tests of training share: settings for every algorithm, and things to watch a fit with.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/tamis.hpp"

namespace tamis::test {

inline std::vector<Algorithm> online_algorithms() {
  return {Fast{}, Opgd{}, Oadmm{}, Orpca{}, Onmf{}};
}

// Few passes: these tests are about bookkeeping, not about how well something is learned.
inline std::vector<Algorithm> batch_algorithms() {
  Bpgd bpgd;
  Badmm badmm;
  bpgd.stopping = badmm.stopping = {.tolerance = 0, .iterations = 12};
  return {bpgd, badmm};
}

inline std::vector<Algorithm> all_algorithms() {
  std::vector<Algorithm> all = online_algorithms();
  for (const Algorithm& algorithm : batch_algorithms()) all.push_back(algorithm);
  return all;
}

inline bool is_batch(const Algorithm& algorithm) {
  return std::visit([](const auto& a) { return a.whole; }, algorithm);
}

inline AlgorithmScope scope_of(const Algorithm& algorithm) {
  return std::visit([](const auto& a) { return a.scope; }, algorithm);
}

// Those that can do something, as in with(all_algorithms(), &AlgorithmScope::missing)
inline std::vector<Algorithm> with(std::vector<Algorithm> algorithms, bool AlgorithmScope::*can) {
  std::erase_if(algorithms, [&](const Algorithm& a) { return !(scope_of(a).*can); });
  return algorithms;
}

// Plain settings: nothing is left to an algorithm's own default except where a test says so.
inline Settings plain_settings(Index rank, const Algorithm& algorithm = Fast{}) {
  Settings settings;
  settings.rank = rank;
  settings.algorithm = algorithm;
  const double no_outliers = std::numeric_limits<double>::infinity();
  settings.lambda = LambdaValue{scope_of(algorithm).outliers ? 0.1 : no_outliers};
  settings.max_outlier = 1.0;
  settings.forget = ForgetNothing{};
  settings.normalize = NormalizeNone{};
  settings.reseed = false;
  settings.batch_size = 8;
  settings.threads = 1;
  settings.seed = 7;
  return settings;
}

// Every byte of a model's state and its settings, in order: equal strings are equal models.
template <class T>
std::string bytes_of(const Model<T>& model) {
  std::string bytes = model.settings.to_json();
  const auto append = [&bytes]<class Value>(std::string_view name, const Value& value) {
    bytes += name;
    if constexpr (requires { value.data(); }) {
      if constexpr (requires { value.rows(); }) {
        const Index shape[] = {value.rows(), value.cols()};
        bytes.append(reinterpret_cast<const char*>(shape), sizeof(shape));
      }
      bytes.append(reinterpret_cast<const char*>(value.data()),
                   std::size_t(value.size()) * sizeof(*value.data()));
    } else {
      bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
  };
  Model<T>::state(model, append);
  return bytes;
}

// The same without the settings, which may differ in what does not matter (the number of threads).
template <class T>
std::string learned_bytes_of(Model<T> model) {
  model.settings = Settings{};
  return bytes_of(model);
}

template <class M>
::testing::AssertionResult same_bits(const M& x, const M& y) {
  if (x.rows() != y.rows() || x.cols() != y.cols()) {
    return ::testing::AssertionFailure() << "shapes differ: " << x.rows() << "x" << x.cols()
                                         << " and " << y.rows() << "x" << y.cols();
  }
  if (std::memcmp(x.data(), y.data(), std::size_t(x.size()) * sizeof(*x.data())) == 0) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "largest difference " << (x - y).cwiseAbs().maxCoeff()
                                       << " of " << y.cwiseAbs().maxCoeff();
}

template <class T>
bool is_feasible(const Settings& settings, const Matrix<T>& W, double tolerance) {
  for (Index j = 0; j < W.cols(); ++j) {
    const bool inside = std::visit(
        [&](const auto& set) { return set.template is_feasible<T>(W.col(j), tolerance); },
        settings.resolved().constraint.value());
    if (!inside) return false;
  }
  return true;
}

// Keeps the codes and outliers of every epoch, in the order they came.
template <class T>
struct Collector final : Sink<T> {
  std::vector<Index> epochs;
  std::vector<Index> firsts;
  std::vector<Index> sizes;
  Matrix<T> H;
  Matrix<T> R;

  void write(const EncodedBlock<T>& block) override {
    epochs.push_back(block.epoch);
    firsts.push_back(block.first);
    sizes.push_back(block.codes.cols());
    append(H, block.codes);
    append(R, block.outliers);
  }

 private:
  static void append(Matrix<T>& all, const ConstMatrixRef<T>& columns) {
    const Index before = all.cols();
    all.conservativeResize(columns.rows(), before + columns.cols());
    all.rightCols(columns.cols()) = columns;
  }
};

// Asks to stop after so many mini-batches (or passes of a batch algorithm).
struct StopAfter final : Observer {
  explicit StopAfter(Index batches_) : batches(batches_) {}
  bool on_batch(const Progress&) override { return ++seen < batches; }

  Index batches;
  Index seen = 0;
};

}  // namespace tamis::test
