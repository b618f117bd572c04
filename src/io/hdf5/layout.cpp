#include "io/hdf5/layout.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace tamis::hdf5 {
namespace {

constexpr std::uint64_t first_with_dimensions_last = 3, first_with_indexes = 4;
enum class Layout : std::uint64_t { compact, contiguous, chunked, elsewhere };

void skip_old_layout(Cursor& in, NumberSizes sizes) {
  const auto dimensions = in.number(1);
  const auto layout = Layout(in.number(1));
  in.skip(5);
  if (layout != Layout::compact) in.skip(sizes.address);
  in.skip(4 * dimensions);
  if (layout == Layout::compact) in.skip(in.number(4));
}

void skip_where(Cursor& in, NumberSizes sizes) {
  const auto version = in.number(1);
  if (version < first_with_dimensions_last) return skip_old_layout(in, sizes);
  switch (Layout(in.number(1))) {
    case Layout::compact:
      return in.skip(in.number(2));
    case Layout::contiguous:
      return in.skip(sizes.address + sizes.length);
    case Layout::chunked:
      return;
    case Layout::elsewhere:
      return in.skip(sizes.address + 4);
  }
  in.fail();
}

void read_newer(Cursor& in, ChunkLayout& found, NumberSizes sizes) {
  constexpr std::uint64_t packed = 2, largest_number = 8;
  constexpr std::array<std::uint64_t, 6> bytes_of_index{0, 0, 0, 1, 5, 6};
  const auto flags = in.number(1), dimensions = in.number(1), bytes_of_size = in.number(1);
  for (std::uint64_t d = 0; d < dimensions && in.ok(); ++d)
    found.sizes.push_back(in.number(bytes_of_size));
  found.index = in.number(1);
  if (bytes_of_size > largest_number || found.index >= bytes_of_index.size()) return in.fail();
  in.skip(bytes_of_index.at(found.index));
  if (found.index == ChunkLayout::one_chunk && (flags & packed) != 0) in.skip(sizes.length + 4);
  found.at = in.number(sizes.address);
}

// The library counts in 32 bits.
bool possible(const ChunkLayout& layout) {
  constexpr std::size_t fewest = 2, most = 33;  // with that of the bytes of an entry
  constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max();
  return layout.ok && layout.sizes.size() >= fewest && layout.sizes.size() <= most &&
         std::ranges::all_of(layout.sizes, [](auto size) { return size > 0 && size <= largest; });
}

}  // namespace

std::optional<ChunkLayout> chunk_layout(Bytes message, NumberSizes sizes) {
  Cursor in(message);
  const auto version = in.number(1);
  const bool dimensions_first = version < first_with_dimensions_last;
  auto dimensions = dimensions_first ? in.number(1) : 0;
  if (Layout(in.number(1)) != Layout::chunked) return std::nullopt;
  ChunkLayout found;
  if (version >= first_with_indexes) {
    read_newer(in, found, sizes);
  } else {
    if (dimensions_first)
      in.skip(5);
    else
      dimensions = in.number(1);
    found.at = in.number(sizes.address);
    for (; dimensions > 0 && in.ok(); --dimensions) found.sizes.push_back(in.number(4));
  }
  found.ok = in.ok();
  return found;
}

void skip_layout(Cursor& in, NumberSizes sizes) {
  const auto chunks = chunk_layout(in.left(), sizes);
  if (chunks && !possible(*chunks)) return in.fail();
  skip_where(in, sizes);
}

}  // namespace tamis::hdf5
