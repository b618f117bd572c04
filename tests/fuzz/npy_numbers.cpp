// Lists of whole numbers in .npy files.
#include "io/npy_numbers.hpp"
#include "fuzz/fuzz.hpp"

FUZZ(npy_numbers) {
  using namespace tamis;
  using namespace tamis::fuzz;
  const std::string path = folder().write("x.npy", bytes);
  accepted([&] {
    const std::vector<Index> numbers = read_npy_numbers(path);
    require(numbers.size() <= bytes.size(), "no more numbers than bytes");
    for (const Index n : numbers) require(n >= 0, "none is negative");
  });
}
