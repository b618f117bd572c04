// Names with * ? [ in them, and the files they stand for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tamis {

// Numbers in names are compared as numbers: img2 comes before img10.
bool natural_less(std::string_view a, std::string_view b);

// Has the name characters of a pattern (*, ?, [) in it, and is not that of a file?
bool is_pattern(const std::string& name);

// A file that is not hidden
bool is_plain_file(const std::string& path);

// Every such file that a pattern matches, in natural order
std::vector<std::string> files_of_pattern(const std::string& pattern);

}  // namespace tamis
