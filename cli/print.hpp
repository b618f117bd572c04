// Texts on standard output.
#pragma once

#include <string>

namespace tamis {

inline constexpr const char* no_output = "standard output: cannot be written";

// False if it cannot be written; but a reader who has seen enough (| head) is no problem.
bool print_text(const std::string& text);

}  // namespace tamis
