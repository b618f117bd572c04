// Which image files an input names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tamis {

// Numbers in names are compared as numbers: img2 comes before img10.
bool natural_less(std::string_view a, std::string_view b);

// Has the name characters of a pattern (*, ?, [) in it, and is not that of a file?
bool is_pattern(const std::string& name);

struct ImageList {
  std::vector<std::string> paths;  // in natural order
  std::vector<std::string> names;  // of the files; with their folders where they would be the same
};

// The images in a folder, of a pattern, or the file itself. Others than images and hidden files are
// left out. Throws FileError if there is none.
ImageList list_images(const std::string& input);

}  // namespace tamis
