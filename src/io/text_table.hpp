// What the first line of a text table leaves open.
#pragma once

#include <optional>
#include <string>

namespace tamis {

// Why a table that can be read may not be what its user thinks, or nothing. header: as in
// OpenOptions
std::string doubt_about_names(const std::string& path, std::optional<bool> header);

}  // namespace tamis
