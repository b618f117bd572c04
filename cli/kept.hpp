// What is read is not replaced by what is written.
#pragma once

#include <string>
#include <vector>

namespace tamis {

// Refuses outputs that are one of the inputs, or a folder with one of them in it, whatever they are
// called: --force is about results. Empty names and "-" are left out.
void check_kept(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

}  // namespace tamis
