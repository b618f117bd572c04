// The files of an experiment: OUT/NAME/runs/ID.json, OUT/NAME/TABLE.csv, OUT/NAME/NAME.json. All
// are complete or not there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "common.hpp"

namespace tamis::experiments {

// Throws FileError.
void make_folder(const std::filesystem::path& folder);
void write_text(const std::filesystem::path& path, const std::string& text);
void write_json(const std::filesystem::path& path, const Json& json);

// Nothing if it is not there or cannot be read: it is then made anew.
std::optional<Json> read_json(const std::filesystem::path& path);

}  // namespace tamis::experiments
