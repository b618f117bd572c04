// Ranks that meet by way of Python: any object with Get_rank, Get_size and Allreduce (or, rather,
// Iallreduce) as those of mpi4py. So the extension module itself needs no MPI, and takes whichever
// one mpi4py was built for.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <optional>
#include <span>
#include <vector>

#include "tamis/communicator.hpp"

namespace tamis::python {

class PythonCommunicator final : public Communicator {
 public:
  // With the GIL
  explicit PythonCommunicator(pybind11::object comm);
  // With the GIL, too
  ~PythonCommunicator() override;
  PythonCommunicator(const PythonCommunicator&) = delete;
  PythonCommunicator& operator=(const PythonCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  // May be called without the GIL, and holds it only meanwhile. What Python raises is thrown.
  void all_reduce(std::span<double> values, std::span<float> more) override;
  // Only with Iallreduce is there something to gain.
  void start_all_reduce(Addends mine) override;
  Addends finish_all_reduce() override;

 private:
  // Some of the numbers that are under way, as Python has them
  struct Piece {
    pybind11::array mine, sums;
    pybind11::object request;
    void* to;  // where the sums belong
  };
  template <class Number>
  void all_reduce(std::span<Number> values);
  template <class Number>
  void start(std::span<Number> values);

  pybind11::object comm_;
  int rank_, size_;
  std::size_t numbers_at_once_;
  Addends under_way_;
  std::vector<Piece> pieces_;  // of what is under way
};

// Of an argument that may be None; every rank has samples of its own. With the GIL.
std::optional<PythonCommunicator> communicator_of(const pybind11::object& comm);
Distribution distribution_of(std::optional<PythonCommunicator>& comm, bool async = false);

}  // namespace tamis::python
