#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "io/hdf5.hpp"

namespace tamis {

using Sizes = std::vector<hsize_t>;

Sizes sizes_of(const H5::DataSet& dataset) {
  const H5::DataSpace space = dataset.getSpace();
  Sizes sizes(std::size_t(std::max(space.getSimpleExtentNdims(), 0)));
  if (!sizes.empty()) space.getSimpleExtentDims(sizes.data());
  return sizes;
}

Sizes chunk_of(const H5::DataSet& dataset) {
  Sizes chunk(sizes_of(dataset).size());
  dataset.getCreatePlist().getChunk(int(chunk.size()), chunk.data());
  return chunk;
}

std::vector<H5Z_filter_t> filters_of(const H5::DataSet& dataset) {
  const H5::DSetCreatPropList created = dataset.getCreatePlist();
  std::vector<H5Z_filter_t> filters;
  for (int i = 0; i < created.getNfilters(); ++i) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    filters.push_back(created.getFilter(i, flags, values, nullptr, 0, nullptr, config));
  }
  return filters;
}

namespace {

// The library takes memory for a whole chunk, whatever the file says that it has.
void check_chunk(const Sizes& chunk, const H5::DataSet& dataset) {
  const std::string path = dataset.getFileName();
  const hsize_t bytes =
      std::max(std::filesystem::file_size(path) * best_hdf5_compression, always_possible);
  hsize_t room = bytes / dataset.getDataType().getSize();
  for (const hsize_t n : chunk) {
    if (n == 0 || n > room)
      throw FileError(fmt::format("{}:{}: chunks of {} are more than the file can hold", path,
                                  dataset.getObjName(), fmt::join(chunk, "x")));
    room /= n;
  }
}

// Bytes of a chunk in the file, without and with checksums, which a chunk can be without; none if
// they are packed, so that only unpacking tells.
struct ChunkBytes {
  hsize_t least = 0, most = 0;
};
std::optional<ChunkBytes> bytes_per_chunk(const H5::DataSet& dataset, const Sizes& chunk) {
  ChunkBytes bytes{.least = dataset.getDataType().getSize()};
  for (const hsize_t n : chunk) bytes.least *= n;
  bytes.most = bytes.least;
  for (const H5Z_filter_t filter : filters_of(dataset)) {
    constexpr hsize_t checksum = 4;
    if (filter == H5Z_FILTER_FLETCHER32) bytes.most += checksum;
    if (filter != H5Z_FILTER_FLETCHER32 && filter != H5Z_FILTER_SHUFFLE) return std::nullopt;
  }
  return bytes;
}

bool has_all_entries(const H5::DataSet& dataset) {
  const H5::DSetCreatPropList created = dataset.getCreatePlist();
  const H5::DataSpace space = dataset.getSpace();
  const hsize_t entry_bytes = dataset.getDataType().getSize();
  const bool one_block = created.getLayout() == H5D_CONTIGUOUS &&
                         H5Dget_offset(dataset.getId()) != HADDR_UNDEF;  // and was written
  if (created.getLayout() == H5D_COMPACT || one_block) {
    const hssize_t entries = space.getSimpleExtentNpoints();
    return entries >= 0 && hsize_t(entries) <= dataset.getStorageSize() / entry_bytes;
  }
  if (created.getLayout() != H5D_CHUNKED) return true;
  const Sizes chunk = chunk_of(dataset);
  check_chunk(chunk, dataset);
  const auto bytes = bytes_per_chunk(dataset, chunk);
  hsize_t chunks = 0;
  if (!bytes) return true;
  if (H5Dget_num_chunks(dataset.getId(), space.getId(), &chunks) < 0) return false;
  const hsize_t stored = dataset.getStorageSize();
  return chunks * bytes->least <= stored && stored <= chunks * bytes->most;
}

}  // namespace

void check_stored(const H5::DataSet& dataset, const std::string& path) {
  if (has_all_entries(dataset)) return;
  throw FileError(
      fmt::format("{}: {} claims more entries than it holds", path, dataset.getObjName()));
}

}  // namespace tamis
