// The experiments that can be asked for.
#pragma once

#include <string>
#include <vector>

namespace tamis {

std::vector<std::string> experiment_names();

}  // namespace tamis
