// Model files and saved states, any bytes.
#include "fuzz/models.hpp"

FUZZ(model) {
  using namespace tamis::fuzz;
  check_model_file(folder().write("m.h5", bytes));
}
