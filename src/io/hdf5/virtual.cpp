#include "io/hdf5/virtual.hpp"

namespace tamis::hdf5 {
namespace {

constexpr std::uint64_t most_dimensions = 32;

std::uint64_t dimensions_of(Cursor& in) {
  const auto dimensions = in.number(4);
  if (dimensions == 0 || dimensions > most_dimensions) in.fail();
  return dimensions;
}

// Each with so many numbers for each dimension. The library compares every block with all others.
void skip_items(Cursor& in, std::uint64_t numbers) {
  in.skip(8);
  const auto dimensions = dimensions_of(in), items = in.number(4);
  constexpr std::uint64_t bytes = 4, most = 1 << 14;
  if (items > most) in.fail();
  in.skip(items * dimensions * numbers * bytes);
}

// First, step, number and size of blocks in each dimension
void skip_regular_blocks(Cursor& in) {
  in.skip(5);
  const auto dimensions = dimensions_of(in);
  for (std::uint64_t d = 0; d < dimensions && in.ok(); ++d) {
    in.skip(8);
    const auto step = in.number(8), count = in.number(8), size = in.number(8);
    if (step == 0 || count == 0 || size == 0) in.fail();
  }
}

void skip_selection(Cursor& in) {
  enum Kind : std::uint64_t { none, points, blocks, all };
  const auto kind = in.number(4), version = in.number(4);
  if (kind == none || kind == all) return in.skip(8);
  if (kind == points && version == 1) return skip_items(in, 1);
  if (kind == blocks && version == 1) return skip_items(in, 2);
  if (kind == blocks && version == 2) return skip_regular_blocks(in);
  in.fail();
}

bool sound_block(Bytes block, Place place) {
  Cursor in(block);
  const auto version = in.number(1), sources = in.number(place.sizes.length);
  if (version != 0) return false;
  for (std::uint64_t i = 0; i < sources && in.ok(); ++i) {
    in.text();  // the file
    in.text();  // the array
    skip_selection(in);
    skip_selection(in);
  }
  constexpr std::uint64_t checksum = 4;
  in.skip(checksum);
  return in.ok();
}

// One object of a global heap, if all of them are where they should be: the library goes on for
// ever where the next begins with the one before.
Bytes object_in(Bytes heap, std::uint64_t wanted, NumberSizes sizes) {
  const std::uint64_t head = 8 + sizes.length;
  Cursor in(heap);
  in.skip(head);
  Bytes found;
  while (in.ok() && in.left().size() >= head) {
    const auto number = in.number(2);
    in.skip(6);
    const auto bytes = in.number(sizes.length);
    const bool free = number == 0;  // which counts its head, too
    if (free && bytes < head) return {};
    const Bytes object = in.take(free ? bytes - head : bytes);
    if (number == wanted) found = object;
    if (!free) in.skip((8 - bytes % 8) % 8);
  }
  return in.ok() ? found : Bytes();
}

}  // namespace

bool sound_virtual(Bytes layout, Place place, const Read& more) {
  constexpr std::uint64_t elsewhere = 3;
  Cursor in(layout);
  const auto version = in.number(1), kind = in.number(1);
  if (version < 4 || kind != elsewhere) return true;
  const auto at = in.number(place.sizes.address), object = in.number(4);
  if (!in.ok()) return false;
  if (at == nowhere(place.sizes)) return true;  // nothing is said yet
  const std::vector<std::byte> beginning = more(place.base + at, 8 + place.sizes.length);
  if (!begins_with(beginning, "GCOL")) return false;
  Cursor head(beginning);
  head.skip(8);
  const auto heap = more(place.base + at, head.number(place.sizes.length));
  return sound_block(object_in(heap, object, place.sizes), place);
}

}  // namespace tamis::hdf5
