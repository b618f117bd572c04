#include "io/hdf5_chunks.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>

namespace tamis {
namespace {

// Bytes that a zlib stream unpacks to; none if it is damaged, or if they are more than these.
std::optional<hsize_t> unpacked_bytes(const std::vector<unsigned char>& packed, hsize_t most) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, &inflateEnd);
  std::array<unsigned char, 1 << 16> scratch{};
  std::size_t taken = 0;
  hsize_t bytes = 0;
  int state = Z_OK;
  while (state == Z_OK && bytes <= most) {
    constexpr std::size_t most_at_once = 1 << 30;
    const std::size_t piece = std::min(packed.size() - taken, most_at_once);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): it is only read
    stream.next_in = const_cast<unsigned char*>(packed.data() + taken);
    stream.avail_in = uInt(piece);
    stream.next_out = scratch.data();
    stream.avail_out = uInt(scratch.size());
    state = inflate(&stream, Z_NO_FLUSH);
    taken += piece - stream.avail_in;
    bytes += scratch.size() - stream.avail_out;
  }
  if (state != Z_STREAM_END || bytes > most) return std::nullopt;
  return bytes;
}

constexpr hsize_t checksum_bytes = 4;

// How wide the entries are whose bytes a filter puts elsewhere; 1 if it leaves them
std::size_t shuffled_width(const H5::DSetCreatPropList& created, int filter) {
  unsigned flags = 0, config = 0, width = 1;
  std::size_t values = 1;
  const H5Z_filter_t id = created.getFilter(filter, flags, values, &width, 0, nullptr, config);
  return id == H5Z_FILTER_SHUFFLE && values == 1 ? std::max(width, 1U) : 1;
}

// All first bytes of the entries come first, then all second ones; what is left over is at the end.
void unshuffle(const std::vector<unsigned char>& from, std::size_t width,
               std::vector<unsigned char>& to) {
  to = from;
  const std::size_t entries = from.size() / width;
  for (std::size_t byte = 0; byte < width; ++byte)
    for (std::size_t i = 0; i < entries; ++i) to[i * width + byte] = from[byte * entries + i];
}

}  // namespace

ChunkCheck::ChunkCheck(const H5::DataSet& dataset, const std::string& name) : name_(name) {
  const H5::DSetCreatPropList created = dataset.getCreatePlist();
  if (created.getLayout() != H5D_CHUNKED) return;
  chunked_ = true;
  file_bytes_ = std::filesystem::file_size(dataset.getFileName());
  sizes_ = sizes_of(dataset);
  chunk_ = chunk_of(dataset);
  bytes_ = dataset.getDataType().getSize();
  for (const hsize_t n : chunk_) bytes_ *= n;
  set_chunks_per_row();
  H5Pget_chunk_opts(created.getId(), &options_);
  const std::vector<H5Z_filter_t> filters = filters_of(dataset);
  for (std::size_t i = 0; i < filters.size(); ++i) {
    widths_.push_back(shuffled_width(created, int(i)));
    if (filters[i] == H5Z_FILTER_FLETCHER32) {
      checksums_ |= std::uint32_t(1) << i;
    } else if (filters[i] == H5Z_FILTER_DEFLATE) {
      if (deflate_) throw FileError(name + ": packed twice, which no program does");
      deflate_ = unsigned(i);
    } else if (filters[i] != H5Z_FILTER_SHUFFLE) {
      others_ |= std::uint32_t(1) << i;
    }
  }
}

void ChunkCheck::check(const H5::DataSet& dataset, Index first, Index n) {
  if (!chunked_ || n <= 0) return;
  const hsize_t last = hsize_t(first + n - 1) / chunk_[0];
  for (hsize_t row = hsize_t(first) / chunk_[0]; row <= last; ++row) {
    if (row >= begin_ && row < end_) continue;
    check_row(dataset, row);
    if (row != end_) begin_ = row;
    end_ = row + 1;
  }
}

// An array can claim far more of them than the file has.
void ChunkCheck::set_chunks_per_row() {
  constexpr hsize_t always = 4096, never = 1 << 18;
  constexpr hsize_t bytes_of_one = 16;  // at least, in the index
  const hsize_t most = std::clamp(file_bytes_ / bytes_of_one, always, never);
  for (std::size_t d = 1; d < sizes_.size(); ++d) {
    const hsize_t n = (sizes_[d] + chunk_[d] - 1) / chunk_[d];
    if (n > most / chunks_per_row_)
      throw FileError(
          fmt::format("{}: a sample in more than {} chunks; larger ones are needed", name_, most));
    chunks_per_row_ *= std::max<hsize_t>(n, 1);
  }
}

Index ChunkCheck::samples_at_once() const {
  constexpr hsize_t most = 1 << 16;
  if (chunk_.empty()) return std::numeric_limits<Index>::max();
  return Index(std::max<hsize_t>(most / chunks_per_row_, 1) * chunk_[0]);
}

void ChunkCheck::check_all(const H5::DataSet& dataset) {
  if (chunked_ && !sizes_.empty()) check(dataset, 0, Index(sizes_[0]));
}

// All chunks with the same samples, counting through the other dimensions
void ChunkCheck::check_row(const H5::DataSet& dataset, hsize_t row) {
  std::vector<hsize_t> offset(sizes_.size(), 0);
  offset[0] = row * chunk_[0];
  std::size_t d = 0;
  do {
    if (!right_size(dataset, offset))
      throw FileError(fmt::format(
          "{}: the chunk of sample {} does not have the size it should; it may be damaged", name_,
          offset[0]));
    for (d = sizes_.size() - 1; d > 0; --d) {
      offset[d] += chunk_[d];
      if (offset[d] < sizes_[d]) break;
      offset[d] = 0;
    }
  } while (d > 0);
}

// Beyond the last sample or the last feature
bool ChunkCheck::sticks_out(const std::vector<hsize_t>& offset) const {
  for (std::size_t d = 0; d < sizes_.size(); ++d)
    if (offset[d] + chunk_[d] > sizes_[d]) return true;
  return false;
}

bool ChunkCheck::right_size(const H5::DataSet& dataset, const std::vector<hsize_t>& offset) {
  const hid_t id = dataset.getId();
  hsize_t stored = 0;
  const bool written = H5Dget_chunk_storage_size(id, offset.data(), &stored) >= 0 && stored > 0;
  if (!written) return true;
  if (stored > file_bytes_) return false;
  const bool as_it_is = (options_ & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
  if (as_it_is && sticks_out(offset)) return stored == bytes_;
  std::uint32_t skipped = 0;  // filters, of this chunk
  if (deflate_ || checksums_ != 0 || others_ != 0) {
    packed_.resize(stored);
    if (H5Dread_chunk(id, H5P_DEFAULT, offset.data(), &skipped, packed_.data()) < 0) return false;
  }
  const auto with = [&](hsize_t bytes, std::uint32_t checksums) {
    return bytes + checksum_bytes * hsize_t(std::popcount(checksums & ~skipped));
  };
  if (stored < with(0, checksums_)) return false;  // the library takes them off all the same
  if ((others_ & ~skipped) != 0) return true;
  if (!deflate_ || (skipped >> *deflate_ & 1U) != 0) return stored == with(bytes_, checksums_);
  undo_filters_after(*deflate_, skipped);
  const hsize_t expected = with(bytes_, checksums_ & ((std::uint32_t(1) << *deflate_) - 1));
  return unpacked_bytes(packed_, expected) == expected;
}

// The last one first. Their number is at most that of bits, and no checksum is missing.
void ChunkCheck::undo_filters_after(std::size_t filter, std::uint32_t skipped) {
  for (std::size_t i = widths_.size() - 1; i > filter; --i) {
    if ((skipped >> i & 1U) != 0) continue;
    if ((checksums_ >> i & 1U) != 0) packed_.resize(packed_.size() - checksum_bytes);
    if (widths_[i] == 1) continue;
    unshuffle(packed_, widths_[i], shuffled_);
    packed_.swap(shuffled_);
  }
}

}  // namespace tamis
