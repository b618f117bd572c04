// Text tables. The first byte says which kind, and whether the first line has names.
#include "fuzz/samples.hpp"

FUZZ(text_table) {
  using namespace tamis;
  using namespace tamis::fuzz;
  if (bytes.empty()) return;
  const int kind = bytes[0] % 6;
  OpenOptions options;
  if (kind / 2 > 0) options.header = kind / 2 == 1;
  check_input(folder().write(kind % 2 == 0 ? "x.csv" : "x.tsv", bytes.subspan(1)), options);
}
