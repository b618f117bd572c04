// The only harness of this program, for libFuzzer.
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tamis::fuzz::harnesses().front().run({data, size});
  return 0;
}
