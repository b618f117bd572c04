// Learning.
#include <pybind11/stl.h>

#include <mutex>

#include "communicator.hpp"
#include "estimator.hpp"
#include "tamis/io/prefetch.hpp"
#include "tamis/io/reader_source.hpp"
#include "weighted_source.hpp"

namespace py = pybind11;

namespace tamis::python {
namespace {

template <class Get>
py::array trace_column(const Trace& trace, const Get& get) {
  using Value = decltype(get(trace.points().front()));
  py::array_t<Value> column(py::ssize_t(trace.points().size()));
  Value* to = column.mutable_data();
  for (const TracePoint& point : trace.points()) *to++ = get(point);
  return column;
}

py::dict as_dict(const Trace& trace) {
  py::dict columns;
  columns["samples"] = trace_column(trace, [](const TracePoint& p) { return p.samples; });
  columns["objective"] = trace_column(trace, [](const TracePoint& p) { return p.objective; });
  columns["change"] = trace_column(trace, [](const TracePoint& p) { return p.change; });
  columns["lambda"] = trace_column(trace, [](const TracePoint& p) { return p.lambda; });
  columns["seconds"] = trace_column(trace, [](const TracePoint& p) { return p.seconds; });
  return columns;
}

py::dict as_dict(const Seconds& seconds) {
  using namespace py::literals;
  return py::dict("read"_a = seconds.read, "encode"_a = seconds.encode, "reduce"_a = seconds.reduce,
                  "update"_a = seconds.update, "write"_a = seconds.write);
}

template <class T>
py::dict as_dict(const FitResult<T>& result) {
  using namespace py::literals;
  const Info& info = result.info;
  return py::dict("status"_a = std::string(name_of(result.status)), "message"_a = result.message,
                  "samples"_a = info.samples, "batches"_a = info.batches, "epochs"_a = info.epochs,
                  "reseeded"_a = info.reseeded, "objective"_a = info.objective,
                  "unconverged_batches"_a = info.unconverged_batches,
                  "regularized_batches"_a = info.regularized_batches,
                  "seconds"_a = as_dict(info.seconds), "trace"_a = as_dict(info.trace));
}

template <class Weights>
Vector<double> as_vector(const Weights& weights) {
  if (!weights) return {};
  return Eigen::Map<const Vector<double>>(weights->data(), weights->size());
}

}  // namespace

template <class T>
py::dict Estimator<T>::fit(const py::array& X, const Weights& weights, py::object callback,
                           double interval, const py::object& comm, bool async) {
  const SampleArray array(X);
  ReaderSource<T> samples(make_reader<T>(array));
  PrefetchSource<T> ahead(samples);
  WeightedSource<T> weighted(ahead, as_vector(weights));
  Watcher watcher(std::move(callback), interval);
  FitOptions<T> options;
  options.observer = &watcher;
  auto ranks = communicator_of(comm);
  options.distribution = distribution_of(ranks, async);
  FitResult<T> result;
  std::shared_mutex& mutex = mutex_.ready();
  {
    const py::gil_scoped_release release;
    const std::unique_lock lock(mutex);
    result = weights ? trainer_.fit(weighted, options) : trainer_.fit(ahead, options);
  }
  py::dict report = as_dict(result);
  try {
    watcher.rethrow();
  } catch (py::error_already_set& error) {
    if (error.trace()) PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
    report["error"] = error.value();
  }
  return report;
}

template <class T>
std::string Estimator<T>::partial_fit(const py::array& X, const Weights& weights,
                                      const py::object& comm, const std::vector<Index>& counts) {
  const SampleArray array(X);
  auto ranks = communicator_of(comm);
  const Distribution distribution = distribution_of(ranks);
  const Vector<double> s = as_vector(weights);
  std::shared_mutex& mutex = mutex_.ready();
  const py::gil_scoped_release release;
  const std::unique_lock lock(mutex);
  if (!trainer_.model().trained()) trainer_.set_format({{array.features}, array.type, array.unit});
  Status status = Status::completed;
  if (array.in_place<T>()) {
    status = trainer_.partial_fit(array.columns<T>(), s, distribution, counts);
  } else {
    Matrix<T> V(array.features, array.samples);
    array.read<T>(0, V);
    status = trainer_.partial_fit(V, s, distribution, counts);
  }
  return std::string(name_of(status));
}

template <class T>
void Estimator<T>::end_pass() {
  std::shared_mutex& mutex = mutex_.ready();
  const py::gil_scoped_release release;
  const std::unique_lock lock(mutex);
  trainer_.end_pass();
}

#define TAMIS_INSTANTIATE(T)                                                                    \
  template py::dict Estimator<T>::fit(const py::array&, const Weights&, py::object, double,     \
                                      const py::object&, bool);                                 \
  template std::string Estimator<T>::partial_fit(const py::array&, const Weights&,              \
                                                 const py::object&, const std::vector<Index>&); \
  template void Estimator<T>::end_pass();
TAMIS_INSTANTIATE(float)
TAMIS_INSTANTIATE(double)
#undef TAMIS_INSTANTIATE

}  // namespace tamis::python
