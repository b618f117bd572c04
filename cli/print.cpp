#include "print.hpp"

#include <cerrno>
#include <cstdio>

namespace tamis {

bool print_text(const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return written || errno == EPIPE;
}

}  // namespace tamis
