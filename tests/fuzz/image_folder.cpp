// Folders and patterns of images: names and contents of up to four files.
#include <filesystem>

#include "fuzz/samples.hpp"
#include "io/image_list.hpp"

namespace {

std::string usable(std::string name) {
  for (char& c : name) c = c == '/' || c == '\0' ? '_' : c;
  return name == "." || name == ".." ? "_" : name.substr(0, 100);
}

}  // namespace

FUZZ(image_folder) {
  using namespace tamis;
  using namespace tamis::fuzz;
  static const Folder own;
  own.clear();
  Choices choices(bytes);
  const std::string pattern = usable(choices.text());
  std::vector<std::string> names;
  for (std::size_t n = choices.below(4); n > 0; --n) {
    const char* const ending = choices.below(2) == 0 ? ".pgm" : "";
    names.push_back(usable(choices.text()) + ending);
    std::string picture = choices.text();
    if (picture.empty()) picture = "P5\n2 2\n255\nabcd";
    if (names.back().empty()) continue;
    own.write(names.back(),
              {reinterpret_cast<const std::uint8_t*>(picture.data()), picture.size()});
  }
  for (const std::string& a : names)
    for (const std::string& b : names)
      require(!natural_less(a, b) || !natural_less(b, a), "an order");
  check_input(own.path(""));
  check_input(own.path(pattern));
}
