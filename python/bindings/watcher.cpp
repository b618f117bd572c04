#include "watcher.hpp"

namespace py = pybind11;

namespace tamis::python {

bool Watcher::due() {
  if (interval_ <= 0) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return false;
  next_ = now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                    std::chrono::duration<double>(interval_));
  return true;
}

template <class Ask>
bool Watcher::ask(const Ask& more) {
  const py::gil_scoped_acquire gil;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    return more();
  } catch (...) {
    error_ = std::current_exception();
    return false;
  }
}

bool Watcher::on_batch(const Progress& progress) {
  if (!due()) return true;
  return ask([&] {
    if (callback_.is_none()) return true;
    const py::object answer = callback_(progress);
    if (answer.is_none()) return true;
    const int more = PyObject_IsTrue(answer.ptr());  // also of NumPy's False
    if (more < 0) throw py::error_already_set();
    return more == 1;
  });
}

bool Watcher::go_on() {
  if (!due()) return true;
  return ask([] { return true; });
}

void Watcher::rethrow() const {
  if (error_) std::rethrow_exception(error_);
}

}  // namespace tamis::python
