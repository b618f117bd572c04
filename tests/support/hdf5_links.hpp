// A file of the newer format with a large group, and what it consists of.
#pragma once

#include <H5Cpp.h>

#include <set>
#include <string>
#include <string_view>

#include "support/hdf5_bytes.hpp"
#include "support/sample_files.hpp"
#include "support/temporary_folder.hpp"

namespace tamis::test {

// Written by the library: links to nowhere, called link 0, link 1, …
class ManyLinks {
 public:
  explicit ManyLinks(int links, const std::string& target = "nowhere") {
    const TemporaryFolder folder;
    const std::string path = folder / "x.h5";
    {
      H5::FileAccPropList access;
      access.setLibverBounds(H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
      const H5::H5File file(path, H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT, access);
      for (int i = 0; i < links; ++i) {
        names.insert("link " + std::to_string(i));
        file.link(H5L_TYPE_SOFT, target, "link " + std::to_string(i));
      }
    }
    bytes = read_bytes(path);
    tree = bytes.find(std::string_view("BTHD\0\5", 6));
    heap = bytes.find("FRHP");
  }

  std::string tree_header() const { return bytes.substr(tree, 38); }
  std::string heap_header() const { return bytes.substr(heap, 146); }

  std::set<std::string> names;
  std::string bytes;
  std::size_t tree = 0, heap = 0;  // where they begin
};

// Another number at a place
inline std::string changed(std::string bytes, std::size_t at, std::uint64_t value, int size) {
  return bytes.replace(at, std::size_t(size), number(value, size));
}

}  // namespace tamis::test
