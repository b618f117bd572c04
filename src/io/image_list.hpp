// Which image files an input names.
#pragma once

#include <string>
#include <vector>

#include "io/file_pattern.hpp"

namespace tamis {

struct ImageList {
  std::vector<std::string> paths;  // in natural order
  std::vector<std::string> names;  // of the files; with their folders where they would be the same
};

// The images in a folder, of a pattern, or the file itself. Others than images and hidden files are
// left out. Throws FileError if there is none.
ImageList list_images(const std::string& input);

}  // namespace tamis
