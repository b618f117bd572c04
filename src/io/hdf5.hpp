// What every user of the HDF5 library shares: it is not safe for several threads, so one works with
// it at a time, and its own exceptions say little to a user.
#pragma once

#include <H5Cpp.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/error.hpp"

namespace tamis {

inline std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

// A file may ask for a filter that is no part of HDF5, which then loads it from a shared library.
// What code is run is not for a file to decide: only who names their folder himself gets them. Put
// back at the end, because others in this process may use HDF5 as well.
class FilterLoading {
 public:
  FilterLoading() {
    H5PLget_loading_state(&before_);
    if (std::getenv("HDF5_PLUGIN_PATH") == nullptr) H5PLset_loading_state(0);
  }
  ~FilterLoading() { H5PLset_loading_state(before_); }
  FilterLoading(const FilterLoading&) = delete;
  FilterLoading& operator=(const FilterLoading&) = delete;

 private:
  unsigned before_ = 0;
};

// Also what closes an HDF5 object must happen in here. Must not be nested.
template <class Work>
auto with_hdf5(const std::string& path, std::string_view what, Work&& work) {
  const std::lock_guard lock(hdf5_mutex());
  H5::Exception::dontPrint();
  const FilterLoading filters;
  try {
    return work();
  } catch (const H5::Exception& problem) {
    throw FileError(fmt::format("{}: {} ({})", path, what, problem.getDetailMsg()));
  }
}

// "samples.h5:/group/data" is a file and an array in it; the array may be left out.
struct Hdf5Name {
  std::string file;
  std::string dataset;  // without / in front; may be empty
};
Hdf5Name split_hdf5_name(const std::string& name);

// What /format is in model files
inline constexpr const char* model_format_name = "tamis model";

// An array's shape, that of its chunks if it has any, and what is done to them
std::vector<hsize_t> sizes_of(const H5::DataSet& dataset);
std::vector<hsize_t> chunk_of(const H5::DataSet& dataset);
std::vector<H5Z_filter_t> filters_of(const H5::DataSet& dataset);

inline constexpr hsize_t best_hdf5_compression = 1100;  // deflate does not reach more

// Bytes of a sample, or of a chunk, that any file may claim: it was perhaps never written, or
// packed by something better than deflate.
inline constexpr hsize_t always_possible = 64 << 20;

// Throws FileError if an array claims more entries than its header or its chunks hold: the library
// would read on; or chunks larger than the file could fill.
void check_stored(const H5::DataSet& dataset, const std::string& path);

// Bytes of all files in which an array's entries lie, which need not be the one it was found in.
// Throws FileError if one of them is missing or too short: the library would take the rest for
// zeros.
std::uintmax_t bytes_of_files(const H5::DataSet& dataset);

// Equal arrays give equal files: without the time at which they were written.
inline H5::DSetCreatPropList without_times() {
  H5::DSetCreatPropList properties;
  H5Pset_obj_track_times(properties.getId(), false);
  return properties;
}

}  // namespace tamis
