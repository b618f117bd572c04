// The library's errors as Python's usual ones, with the library's words.
#include "bindings.hpp"
#include "tamis/error.hpp"

namespace py = pybind11;

namespace tamis::python {

void bind_errors(py::module_& /*module*/) {
  // NOLINTNEXTLINE(performance-unnecessary-value-param): the type that pybind11 wants
  py::register_local_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const FileError& e) {
      PyErr_SetString(PyExc_OSError, e.what());
    } catch (const Interrupted& e) {
      PyErr_SetString(PyExc_KeyboardInterrupt, e.what());
    } catch (const Error& e) {  // settings and data
      PyErr_SetString(PyExc_ValueError, e.what());
    }
  });
}

}  // namespace tamis::python
