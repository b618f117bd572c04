// .npy files: headers, data, both orders.
#include "fuzz/samples.hpp"

FUZZ(npy) {
  using namespace tamis::fuzz;
  check_input(folder().write("x.npy", bytes));
}
