#include "io/hdf5.hpp"

#include <optional>
#include <vector>

namespace tamis {
namespace {

// Bytes of a chunk in the file; none if they are packed, so that only unpacking tells.
std::optional<hsize_t> bytes_per_chunk(const H5::DSetCreatPropList& created, hsize_t entry_bytes,
                                       int dimensions) {
  std::vector<hsize_t> chunk(std::size_t(dimensions), 0);
  created.getChunk(dimensions, chunk.data());
  hsize_t bytes = entry_bytes;
  for (const hsize_t n : chunk) bytes *= n;
  for (int i = 0; i < created.getNfilters(); ++i) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = created.getFilter(i, flags, values, nullptr, 0, nullptr, config);
    constexpr hsize_t checksum = 4;
    if (filter == H5Z_FILTER_FLETCHER32) bytes += checksum;
    if (filter != H5Z_FILTER_FLETCHER32 && filter != H5Z_FILTER_SHUFFLE) return std::nullopt;
  }
  return bytes;
}

bool has_all_entries(const H5::DataSet& dataset) {
  const H5::DSetCreatPropList created = dataset.getCreatePlist();
  const H5::DataSpace space = dataset.getSpace();
  const hsize_t entry_bytes = dataset.getDataType().getSize();
  if (created.getLayout() == H5D_COMPACT) {
    const hssize_t entries = space.getSimpleExtentNpoints();
    return entries >= 0 && hsize_t(entries) <= dataset.getStorageSize() / entry_bytes;
  }
  if (created.getLayout() != H5D_CHUNKED) return true;
  const auto bytes = bytes_per_chunk(created, entry_bytes, space.getSimpleExtentNdims());
  hsize_t chunks = 0;
  if (!bytes) return true;
  if (H5Dget_num_chunks(dataset.getId(), space.getId(), &chunks) < 0) return false;
  return dataset.getStorageSize() == chunks * *bytes;
}

}  // namespace

void check_stored(const H5::DataSet& dataset, const std::string& path) {
  if (has_all_entries(dataset)) return;
  throw FileError(
      fmt::format("{}: {} claims more entries than it holds", path, dataset.getObjName()));
}

}  // namespace tamis
