// Arrays whose entries lie in other files. What is not there would be zeros, and arrays that refer
// to each other in a circle would be followed until the stack ends.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/hdf5.hpp"
#include "io/hdf5_chunks.hpp"
#include "io/hdf5_disk.hpp"

namespace tamis {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_levels = 32;

std::string directory_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path().string() : ".";
}

// Where the library looks for it: HDF5_VDS_PREFIX, beside the file that refers to it, here.
std::string find_file(const std::string& name, const std::string& from) {
  std::vector<fs::path> places;
  if (const char* prefix = std::getenv("HDF5_VDS_PREFIX")) places.emplace_back(prefix);
  places.emplace_back(directory_of(from));
  places.emplace_back();
  places.emplace_back(directory_of(fs::weakly_canonical(from)));
  std::error_code problem;
  const fs::path wanted(name);
  if (wanted.is_absolute() && fs::exists(wanted, problem)) return name;
  const fs::path relative = wanted.is_absolute() ? wanted.filename() : wanted;
  for (const fs::path& place : places)
    if (fs::exists(place / relative, problem)) return (place / relative).string();
  throw FileError(fmt::format("{}: refers to {}, which is not there", from, name));
}

// Texts of the library: their length first, then they themselves
template <class Get>
std::string text_from(const Get& get) {
  const ssize_t length = get(nullptr, 0);
  if (length < 0) throw H5::PropListIException("text_from", "damaged");
  std::string text(std::size_t(length) + 1, '\0');
  get(text.data(), text.size());
  text.pop_back();
  return text;
}

class Elsewhere {
 public:
  std::uintmax_t bytes() const { return bytes_; }

  void add(const H5::DataSet& dataset) {
    const std::string file = dataset.getFileName();
    if (files_.insert(file).second) bytes_ += fs::file_size(file);
    const H5::DSetCreatPropList created = dataset.getCreatePlist();
    if (created.getLayout() == H5D_VIRTUAL) add_sources(dataset, created, file);
    if (created.getExternalCount() > 0) add_pieces(dataset, created, file);
  }

 private:
  using Name = std::pair<std::string, std::string>;  // of a file and of an array in it

  void add_sources(const H5::DataSet& dataset, const H5::DSetCreatPropList& created,
                   const std::string& file) {
    const Name own(file, dataset.getObjName());
    if (finished_.contains(own)) return;
    if (!begun_.insert(own).second || begun_.size() - finished_.size() > most_levels)
      throw FileError(fmt::format(
          "{}:{}: refers to itself, or through too many others to its entries", file, own.second));
    std::size_t count = 0;
    H5Pget_virtual_count(created.getId(), &count);
    for (std::size_t i = 0; i < count; ++i) add_source(created, i, file);
    finished_.insert(own);
  }

  void add_source(const H5::DSetCreatPropList& created, std::size_t i, const std::string& file) {
    const hid_t id = created.getId();
    const std::string name = text_from(
        [&](char* to, std::size_t size) { return H5Pget_virtual_filename(id, i, to, size); });
    const std::string array = text_from(
        [&](char* to, std::size_t size) { return H5Pget_virtual_dsetname(id, i, to, size); });
    if (name.find('%') != std::string::npos || array.find('%') != std::string::npos)
      throw FileError(
          fmt::format("{}: refers to {}:{}, one file for each number; name them one by one", file,
                      name, array));
    const std::string found = name == "." ? file : find_file(name, file);
    const H5::DataSet source = open_source(found, array, file);
    check_extent(created, i, source, fmt::format("{}:{}", found, array));
    if (sources_.emplace(found, array).second) check_source(source, found + ":" + array);
    add(source);
  }

  // Nobody else looks at what the library reads there on its own.
  static void check_source(const H5::DataSet& source, const std::string& name) {
    check_stored(source, source.getFileName());
    ChunkCheck(source, name).check_all(source);
  }

  static H5::DataSet open_source(const std::string& path, const std::string& array,
                                 const std::string& from) {
    try {
      return open_hdf5(path).openDataSet(array);
    } catch (const H5::Exception&) {
      throw FileError(fmt::format("{}: refers to {}:{}, which is not there or cannot be read", from,
                                  path, array));
    }
  }

  // What a source does not have would be zeros, too.
  static void check_extent(const H5::DSetCreatPropList& created, std::size_t i,
                           const H5::DataSet& source, const std::string& name) {
    const H5::DataSpace there = source.getSpace();
    const H5::DataSpace used = owned(H5Pget_virtual_srcspace(created.getId(), i));
    const H5::DataSpace place = owned(H5Pget_virtual_vspace(created.getId(), i));
    const bool all_of_it = H5Sget_select_type(used.getId()) == H5S_SEL_ALL;
    if (!(all_of_it ? fills(there, place) : reaches(there, used)))
      throw FileError(name + ": is smaller than what refers to it");
  }

  static H5::DataSpace owned(hid_t id) {
    const H5::DataSpace space(id);
    H5Idec_ref(id);  // it has one of its own
    return space;
  }

  // Places without an end grow with their source.
  static bool fills(const H5::DataSpace& there, const H5::DataSpace& place) {
    const auto wanted = hsize_t(place.getSelectNpoints());
    return wanted == H5S_UNLIMITED || wanted == hsize_t(there.getSimpleExtentNpoints());
  }

  static bool reaches(const H5::DataSpace& there, const H5::DataSpace& used) {
    std::vector<hsize_t> sizes(std::size_t(there.getSimpleExtentNdims()));
    std::vector<hsize_t> first(sizes.size()), last(sizes.size());
    if (used.getSimpleExtentNdims() != there.getSimpleExtentNdims()) return false;
    there.getSimpleExtentDims(sizes.data());
    if (H5Sget_select_bounds(used.getId(), first.data(), last.data()) < 0) return true;
    return std::ranges::equal(last, sizes, [](hsize_t index, hsize_t size) {
      return index == H5S_UNLIMITED || index < size;
    });
  }

  void add_pieces(const H5::DataSet& dataset, const H5::DSetCreatPropList& created,
                  const std::string& file) {
    const auto entries = hsize_t(dataset.getSpace().getSimpleExtentNpoints());
    const hsize_t entry_bytes = dataset.getDataType().getSize();
    if (entries > std::numeric_limits<hsize_t>::max() / entry_bytes)
      throw FileError(file + ": an array of more bytes than there can be");
    hsize_t missing = entries * entry_bytes;
    for (int i = 0; i < created.getExternalCount(); ++i) {
      constexpr std::size_t longest_name = 4096;
      std::string name(longest_name, '\0');
      off_t offset = 0;
      hsize_t size = 0;
      created.getExternal(unsigned(i), name.size() - 1, name.data(), offset, size);
      name.resize(name.find('\0'));
      const hsize_t there = add_piece(name, file);
      const hsize_t wanted = std::min(size, missing);
      if (offset < 0 || hsize_t(offset) > there || there - hsize_t(offset) < wanted)
        throw FileError(fmt::format("{}: is smaller than {}, which refers to it", name, file));
      missing -= wanted;
    }
  }

  // Returns its size.
  std::uintmax_t add_piece(const std::string& name, const std::string& from) {
    const char* const prefix = std::getenv("HDF5_EXTFILE_PREFIX");
    const fs::path path = prefix == nullptr ? fs::path(name) : fs::path(prefix) / name;
    if (std::error_code problem; !fs::is_regular_file(path, problem))
      throw FileError(fmt::format("{}: refers to {}, which is not there", from, path.string()));
    const std::uintmax_t bytes = fs::file_size(path);
    if (files_.insert(path.string()).second) bytes_ += bytes;
    return bytes;
  }

  std::set<Name> begun_, finished_;
  std::set<Name> sources_;  // that were looked through
  std::set<std::string> files_;
  std::uintmax_t bytes_ = 0;
};

}  // namespace

std::uintmax_t bytes_of_files(const H5::DataSet& dataset) {
  try {
    Elsewhere elsewhere;
    elsewhere.add(dataset);
    return elsewhere.bytes();
  } catch (const fs::filesystem_error& problem) {
    throw FileError(fmt::format("{}: {}", dataset.getFileName(), problem.code().message()));
  }
}

}  // namespace tamis
