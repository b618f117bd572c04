#include "communicator.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

namespace py = pybind11;

namespace tamis::python {
namespace {

// More than that is added up piece by piece, which needs little memory and costs no time: pieces of
// this size are limited by bandwidth. (MPI could not count beyond 2³¹ anyway.)
constexpr std::size_t usual_numbers_at_once = std::size_t(1) << 20;

// MPI's own waiting keeps a core busy, which another rank may need; so who waits for longer sleeps.
void wait_for(const py::object& request) {
  using namespace std::chrono_literals;
  const auto test = request.attr("Test");
  auto pause = 5us;
  while (!test().cast<bool>()) {
    const py::gil_scoped_release release;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, 200us);
  }
}

bool can_go_on_meanwhile(const py::object& comm) { return py::hasattr(comm, "Iallreduce"); }

void add_up(const py::object& comm, const py::array& mine, const py::array& sums) {
  if (can_go_on_meanwhile(comm)) {
    wait_for(comm.attr("Iallreduce")(mine, sums));
  } else {
    comm.attr("Allreduce")(mine, sums);
  }
}

}  // namespace

PythonCommunicator::PythonCommunicator(py::object comm)
    : comm_(std::move(comm)),
      rank_(comm_.attr("Get_rank")().cast<int>()),
      size_(comm_.attr("Get_size")().cast<int>()),
      numbers_at_once_(py::getattr(comm_, "numbers_at_once", py::int_(usual_numbers_at_once))
                           .cast<std::size_t>()) {}

// What MPI may still write to is never given back.
PythonCommunicator::~PythonCommunicator() {
  for (Piece& piece : pieces_) {
    piece.mine.release();
    piece.sums.release();
    piece.request.release();
  }
}

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

void PythonCommunicator::start_all_reduce(Addends mine) {
  const py::gil_scoped_acquire gil;
  under_way_ = std::move(mine);
  if (can_go_on_meanwhile(comm_)) {
    start<double>(under_way_.values);
    start<float>(under_way_.more);
  } else {
    all_reduce<double>(under_way_.values);
    all_reduce<float>(under_way_.more);
  }
}

template <class Number>
void PythonCommunicator::start(std::span<Number> values) {
  for (std::size_t begin = 0; begin < values.size(); begin += numbers_at_once_) {
    const auto piece = values.subspan(begin, std::min(numbers_at_once_, values.size() - begin));
    const py::array_t<Number> mine(py::ssize_t(piece.size()), piece.data());
    const py::array_t<Number> sums(py::ssize_t(piece.size()));
    pieces_.push_back({mine, sums, comm_.attr("Iallreduce")(mine, sums), piece.data()});
  }
}

Addends PythonCommunicator::finish_all_reduce() {
  const py::gil_scoped_acquire gil;
  for (const Piece& piece : pieces_) {
    wait_for(piece.request);
    std::memcpy(piece.to, piece.sums.data(), std::size_t(piece.sums.nbytes()));
  }
  pieces_.clear();
  return std::exchange(under_way_, {});
}

std::optional<PythonCommunicator> communicator_of(const py::object& comm) {
  if (comm.is_none()) return {};
  return std::optional<PythonCommunicator>(std::in_place, comm);
}

Distribution distribution_of(std::optional<PythonCommunicator>& comm, bool async) {
  return {.comm = comm ? &*comm : nullptr, .own_samples = true, .async = async};
}

}  // namespace tamis::python
