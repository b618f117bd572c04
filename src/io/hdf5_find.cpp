#include "io/hdf5_find.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <new>
#include <vector>

#include "io/hdf5_disk.hpp"

namespace tamis {
namespace {

constexpr std::size_t most_names = 20;  // listed in a message

H5::H5File open_file(const std::string& path) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) throw FileError(path + ": no such file");
  try {
    return open_hdf5(path);
  } catch (const H5::Exception&) {
    throw FileError(path +
                    ": not a readable HDF5 file; it may be damaged, cut short, or of another kind; "
                    "if other programs read it, h5repack makes one of a common form");
  }
}

// A file can say in a few bytes that it has the same links, or the same long name, again and again.
struct Room {
  std::size_t objects = 10000, links = 1000000, bytes_of_names = 16 << 20;
};

// Whether there was enough for one more
bool take(std::size_t& room, std::size_t wanted) {
  const bool enough = wanted <= room;
  room -= std::min(wanted, room);
  return enough;
}

struct Names {
  Room& room;
  std::size_t bytes_before = 0;  // of what comes in front of each
  std::vector<std::string> found;
  bool no_memory = false;
};

// Nothing may be thrown through the library.
herr_t collect_name(hid_t, const char* name, const H5L_info_t* info, void* names) {
  constexpr herr_t go_on = 0, enough = 1;
  auto& [room, bytes_before, found, no_memory] = *static_cast<Names*>(names);
  try {
    if (!take(room.links, 1)) return enough;
    if (info->type != H5L_TYPE_HARD) return go_on;
    if (!take(room.bytes_of_names, bytes_before + std::strlen(name))) return enough;
    found.emplace_back(name);
    return go_on;
  } catch (const std::bad_alloc&) {
    no_memory = true;
    return -1;
  }
}

struct Dataset {
  std::string name;
  bool usable;  // numbers, of at least two dimensions
  bool unreadable = false;
};

// The arrays of a file. Not by the library's own walk, which goes as deep as a file says: until the
// stack ends.
class Contents {
 public:
  Contents(H5::H5File& file, const std::string& path) : file_(file), path_(path) {
    look_into("", 0, 0);
    unsigned tables = 0;
    H5Pget_shared_mesg_nindexes(file_.getCreatePlist().getId(), &tables);
    shares_ = tables > 0 && unreadable_ > 0;
  }

  const std::vector<Dataset>& datasets() const { return datasets_; }
  bool complete() const { return complete_; }
  // Whether what cannot be read may be sound, but have its shape or its type in another place
  bool shares() const { return shares_; }

 private:
  static constexpr int deepest_group = 64;  // that is looked into
  static constexpr std::size_t most_unreadable = 100;

  // With so many links in the groups above, among which it is found
  void look_into(const std::string& group, int depth, std::size_t links) {
    const std::size_t room = room_.links;
    std::vector<std::string> names;
    if (!readable(group, [&] { names = names_in(group); })) return;
    links += room - room_.links;
    for (const std::string& name : names) {
      if (!take(room_.objects, 1)) complete_ = false;
      if (!complete_) return;
      H5O_type_t kind = H5O_TYPE_UNKNOWN;
      const bool is_readable = readable(group + name, [&] {
        kind = file_.childObjType(group + name);
        if (kind == H5O_TYPE_DATASET) add(group + name);
      });
      // All links are looked through anew.
      if (!is_readable && !take(room_.links, links)) complete_ = false;
      if (kind == H5O_TYPE_GROUP && depth < deepest_group)
        look_into(group + name + "/", depth + 1, links);
    }
  }

  // Opened again after what is damaged, of which nothing may stay in the library's memory
  template <class Work>
  bool readable(const std::string& name, const Work& work) {
    try {
      work();
      return true;
    } catch (const H5::Exception&) {
      datasets_.push_back({.name = name, .usable = false, .unreadable = true});
      if (++unreadable_ > most_unreadable) complete_ = false;
      file_ = open_file(path_);
      return false;
    }
  }

  void add(const std::string& name) {
    const H5::DataSet dataset = file_.openDataSet(name);
    datasets_.push_back(
        {.name = name, .usable = numeric(dataset) && sizes_of(dataset).size() >= 2});
  }

  // Sorted by us: for its own order the library makes a table, and frees all of it also when only a
  // part was filled.
  std::vector<std::string> names_in(const std::string& group) {
    Names names{.room = room_, .bytes_before = group.size(), .found = {}};
    const H5::Group opened = file_.openGroup("/" + group);
    const herr_t problem =
        H5Literate(opened.getId(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect_name, &names);
    if (names.no_memory) throw std::bad_alloc();
    if (problem < 0) throw H5::GroupIException("names_in", "damaged");
    if (problem > 0) complete_ = false;
    std::ranges::sort(names.found);
    return names.found;
  }

  H5::H5File& file_;
  const std::string& path_;
  std::vector<Dataset> datasets_;
  Room room_;
  std::size_t unreadable_ = 0;
  bool complete_ = true, shares_ = false;
};

std::string printed(const Dataset& dataset) {
  constexpr std::size_t longest = 1000;
  const std::string name = dataset.name.size() <= longest
                               ? "/" + dataset.name
                               : fmt::format("one with a name of {} bytes", dataset.name.size());
  return name + (dataset.unreadable ? " (damaged, or of a kind that is not read)" : "");
}

std::string listed(const Contents& contents) {
  const std::vector<Dataset>& datasets = contents.datasets();
  std::string rest =
      contents.complete() ? "" : "; there are too many objects in it to look at all of them";
  if (contents.shares())
    rest +=
        "; the file has a table of shared messages, and what is in there is not read: "
        "h5repack makes one without";
  if (datasets.empty()) return "there are none in this file" + rest;
  std::vector<std::string> names;
  names.reserve(datasets.size());
  for (const Dataset& dataset : datasets) names.push_back(printed(dataset));
  const bool more = names.size() > most_names;
  names.resize(std::min(names.size(), most_names));
  return fmt::format("there are {}{}{}", fmt::join(names, ", "), more ? ", …" : "", rest);
}

bool is_model(const H5::H5File& file) {
  return file.nameExists("format") && file.nameExists("settings") && file.nameExists("W");
}

// The only array that can be meant
std::string only_dataset(H5::H5File& file, const std::string& path) {
  if (is_model(file))
    throw FileError(fmt::format(
        "{}: a tamis model, not samples; if an array in it is meant, name it, for instance {}:/W",
        path, path));
  const Contents contents(file, path);
  const std::vector<Dataset>& datasets = contents.datasets();
  const auto usable = std::ranges::count(datasets, true, &Dataset::usable);
  if (usable == 0 && !datasets.empty() && contents.complete())
    throw FileError(
        fmt::format("{}: has no array of numbers with samples as rows (2 or more dimensions); {}",
                    path, listed(contents)));
  if (usable != 1 || !contents.complete())
    throw FileError(
        fmt::format("{}: which array? Name it, as in {}:/name; {}", path, path, listed(contents)));
  return std::ranges::find(datasets, true, &Dataset::usable)->name;
}

}  // namespace

bool numeric(const H5::DataSet& dataset) {
  const H5T_class_t kind = dataset.getTypeClass();
  // h5py writes truth values as an enumeration of FALSE and TRUE.
  return kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM;
}

Hdf5Array find_array(const Hdf5Name& name) {
  H5::H5File file = open_file(name.file);
  const std::string wanted = name.dataset.empty() ? only_dataset(file, name.file) : name.dataset;
  try {
    if (file.childObjType(wanted) == H5O_TYPE_DATASET) return {.file = file, .name = wanted};
  } catch (const H5::Exception&) {
    file = open_file(name.file);  // to say what there is instead
  }
  throw FileError(fmt::format("{}: no array /{} in it; {}", name.file, wanted,
                              listed(Contents(file, name.file))));
}

}  // namespace tamis
