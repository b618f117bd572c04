#include "communicator.hpp"

#include <pybind11/numpy.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace py = pybind11;

namespace tamis::python {
namespace {

// More than that is added up piece by piece, which needs little memory and costs no time: pieces of
// this size are limited by bandwidth. (MPI could not count beyond 2³¹ anyway.)
constexpr std::size_t usual_numbers_at_once = std::size_t(1) << 20;

// MPI's own waiting keeps a core busy, which another rank may need; so who waits for longer sleeps.
void add_up(const py::object& comm, const py::array& mine, const py::array& sums) {
  using namespace std::chrono_literals;
  if (!py::hasattr(comm, "Iallreduce")) {
    comm.attr("Allreduce")(mine, sums);
    return;
  }
  const py::object request = comm.attr("Iallreduce")(mine, sums);
  const auto test = request.attr("Test");
  auto pause = 5us;
  while (!test().cast<bool>()) {
    const py::gil_scoped_release release;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, 200us);
  }
}

}  // namespace

PythonCommunicator::PythonCommunicator(py::object comm)
    : comm_(std::move(comm)),
      rank_(comm_.attr("Get_rank")().cast<int>()),
      size_(comm_.attr("Get_size")().cast<int>()),
      numbers_at_once_(py::getattr(comm_, "numbers_at_once", py::int_(usual_numbers_at_once))
                           .cast<std::size_t>()) {}

void PythonCommunicator::all_reduce(std::span<double> values, std::span<float> more) {
  const py::gil_scoped_acquire gil;
  all_reduce<double>(values);
  all_reduce<float>(more);
}

// The arrays have memory of their own: nobody knows how long Python keeps them.
template <class Number>
void PythonCommunicator::all_reduce(std::span<Number> values) {
  for (std::size_t begin = 0; begin < values.size(); begin += numbers_at_once_) {
    const auto piece = values.subspan(begin, std::min(numbers_at_once_, values.size() - begin));
    const py::array_t<Number> mine(py::ssize_t(piece.size()), piece.data());
    const py::array_t<Number> sums(py::ssize_t(piece.size()));
    add_up(comm_, mine, sums);
    std::copy_n(sums.data(), piece.size(), piece.begin());
  }
}

std::optional<PythonCommunicator> communicator_of(const py::object& comm) {
  if (comm.is_none()) return {};
  return std::optional<PythonCommunicator>(std::in_place, comm);
}

Distribution distribution_of(std::optional<PythonCommunicator>& comm) {
  return {.comm = comm ? &*comm : nullptr, .own_samples = true};
}

}  // namespace tamis::python
