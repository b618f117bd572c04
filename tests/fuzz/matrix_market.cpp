// MatrixMarket text, also sorted in runs that do not fit in memory.
#include "io/matrix_market.hpp"
#include "fuzz/samples.hpp"

FUZZ(matrix_market) {
  using namespace tamis;
  using namespace tamis::fuzz;
  const std::string path = folder().write("x.mtx", bytes);
  check_input(path);
  accepted([&] {
    constexpr Index run = 2;
    const auto whole = open_reader<double>(path);
    const auto in_runs = open_matrix_market<double>(path, run);
    if (whole->format().features() > most_entries / 3) return;
    bool complete = false;
    require(same<double>(read_through<double>(*whole, 0, complete),
                         read_through<double>(*in_runs, 1, complete)),
            "how it is sorted changes nothing");
  });
}
