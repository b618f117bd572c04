// Using what was learned: block by block, so that no (n, F) temporary is needed and Ctrl-C is
// noticed. A sample gets the same bits whichever others are in its block.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "estimator.hpp"
#include "tamis/denoise.hpp"
#include "tamis/error.hpp"

namespace py = pybind11;

namespace tamis::python {
namespace {

// Enough to keep all threads busy, few enough to stay small: the program's blocks.
template <class T>
Index samples_in_memory(Index F) {
  constexpr Index bytes = Index(16) << 20;
  return std::clamp<Index>(bytes / std::max<Index>(1, F * Index(sizeof(T))), 1, 1024);
}

// And few enough to be done within about a second even if no sample converges: only then a signal
// is looked for.
template <class T>
Index samples_in_time(const Model<T>& model, const EncodeOptions& options) {
  constexpr double operations = 2e10;
  const double each = 4 * double(model.features()) * double(model.rank());
  const double most = operations / (each * double(std::max<Index>(1, options.iterations)));
  return std::min(samples_in_memory<T>(model.features()), Index(std::clamp(most, 16.0, 1024.0)));
}

}  // namespace

// use(first, V, encoding) for every block
template <class T>
template <class Use>
void Estimator<T>::for_each_encoded_block(const SampleArray& array, const EncodeOptions& options,
                                          Blocks blocks, const Use& use) {
  Watcher watcher;
  {
    const auto lock = shared_lock();
    const py::gil_scoped_release release;
    const Model<T>& model = trainer_.model();
    const Index most = blocks == Blocks::of_the_program ? samples_in_memory<T>(array.features)
                                                        : samples_in_time(model, options);
    Matrix<T> V;
    for (Index first = 0; first < array.samples; first += most) {
      V.resize(array.features, std::min(most, array.samples - first));
      array.read<T>(first, V);
      use(first, V, model.encode(V, options));
      if (!watcher.go_on()) break;
    }
  }
  watcher.rethrow();
}

template <class T>
py::tuple Estimator<T>::transform(const py::array& X, bool outliers, const EncodeOptions& options) {
  const SampleArray array(X);
  Output<T> codes(array.samples, look([](const Model<T>& model) { return model.rank(); }));
  std::optional<Output<T>> rest;
  if (outliers) rest.emplace(array.samples, array.features);
  bool converged = true;
  const auto keep = [&](Index first, const Matrix<T>&, const Encoding<T>& encoding) {
    codes.write(first, encoding.H, array.unit);
    if (rest) rest->write(first, encoding.R, array.unit);
    converged &= encoding.converged;
  };
  for_each_encoded_block(array, options, Blocks::soon_done, keep);
  return py::make_tuple(codes.array(), rest ? py::object(rest->array()) : py::none(), converged);
}

template <class T>
py::array_t<T> Estimator<T>::inverse_transform(const py::array_t<T, py::array::c_style>& codes) {
  if (codes.ndim() != 2) throw py::value_error("codes must be a two-dimensional array");
  const Eigen::Map<const Matrix<T>> H(codes.data(), codes.shape(1), codes.shape(0));
  Output<T> X(H.cols(), look([](const Model<T>& model) { return model.features(); }));
  {
    const auto lock = shared_lock();
    const py::gil_scoped_release release;
    X.write(0, trainer_.model().reconstruct(H), 1);
  }
  return X.array();
}

template <class T>
py::tuple Estimator<T>::absolute_errors(const py::array& X, const Weights& weights,
                                        const EncodeOptions& options) {
  const SampleArray array(X);
  if (weights && weights->size() != array.samples)
    throw DataError("sample_weight must have one number for every sample");
  const double* s = weights ? weights->data() : nullptr;
  double error = 0, size = 0;
  bool converged = true;
  const auto add = [&](Index first, const Matrix<T>& V, const Encoding<T>& encoding) {
    const Matrix<T> WH = trainer_.model().reconstruct(encoding.H);
    converged &= encoding.converged;
    for (Index j = 0; j < V.cols(); ++j) {
      double sample_error = 0, sample_size = 0;
      for (Index i = 0; i < V.rows(); ++i) {
        if (std::isnan(V(i, j))) continue;
        sample_error += std::abs(double(V(i, j)) - double(WH(i, j)));
        sample_size += std::abs(double(V(i, j)));
      }
      const double weight = s != nullptr ? s[first + j] : 1;
      error += weight * sample_error;
      size += weight * sample_size;
    }
  };
  for_each_encoded_block(array, options, Blocks::soon_done, add);
  return py::make_tuple(error * array.unit, size * array.unit, converged);
}

template <class T>
py::tuple Estimator<T>::denoise(const py::array& X, std::optional<double> threshold,
                                const EncodeOptions& options) {
  const SampleArray array(X);
  Output<T> clean(array.samples, array.features);
  const ThresholdUnit unit = threshold ? ThresholdUnit::data : ThresholdUnit::scaled;
  if (threshold) *threshold /= array.unit;
  bool converged = true;
  const auto replace = [&](Index first, const Matrix<T>& V, const Encoding<T>& encoding) {
    const Model<T>& model = trainer_.model();
    converged &= encoding.converged;
    if (!threshold) threshold = inlier_threshold<T>(model, V, encoding);
    clean.write(first, tamis::denoise<T>(model, V, encoding, threshold.value_or(0), unit),
                array.unit);
  };
  // The threshold comes from the first block that tells one, so it has to be the program's.
  for_each_encoded_block(array, options, Blocks::of_the_program, replace);
  return py::make_tuple(clean.array(), threshold.value_or(0) * array.unit, converged);
}

template class Estimator<float>;
template class Estimator<double>;

}  // namespace tamis::python
