// Plots and the report are drawn by the Python scripts beside this file, from the JSON alone.
#pragma once

#include <filesystem>
#include <string>

#include "common.hpp"

namespace tamis::experiments {

// Runs plot.py or report.py on a folder. Returns "" if that worked, otherwise a sentence that says
// what is missing: the results are complete without.
std::string draw(const std::string& script, const std::filesystem::path& folder,
                 const Common& common);

}  // namespace tamis::experiments
