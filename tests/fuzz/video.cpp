// Video files. The libraries behind are not instrumented, so little of this is guided.
#include "fuzz/samples.hpp"

FUZZ(video) {
  using namespace tamis;
  using namespace tamis::fuzz;
  const std::string path = folder().write("x.avi", bytes);
  accepted([&] {
    const auto reader = open_reader<float>(path);
    check_format(reader->format());
    require(reader->format().image(), "a frame is an image");
    if (reader->format().features() > most_entries) return;
    for (int i = 0; i < 8; ++i) {
      const Matrix<float> frame = next_block<float>(*reader, 1, 0);
      if (frame.cols() == 0) break;
      check_values<float>(reader->format(), frame);
    }
  });
}
