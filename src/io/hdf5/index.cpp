#include "io/hdf5/index.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "io/hdf5/heap.hpp"
#include "io/hdf5/messages.hpp"
#include "io/hdf5/tree.hpp"

namespace tamis::hdf5 {
namespace {

constexpr std::size_t signature = 4;

// Each record has a few bytes by which they are in order, and what a link is called in the heap.
bool sound_links(const Tree& tree, std::uint64_t heap_at, Place place, const Read& more) {
  Heap heap(more(heap_at, Heap::header_bytes(place.sizes)), place);
  constexpr std::uint64_t by_name = 5, order_of_name = 4, order_of_number = 8;
  const std::uint64_t order = tree.kind() == by_name ? order_of_name : order_of_number;
  if (!heap.find_long_ones(more) || tree.record_bytes() != order + Heap::bytes_of_id) return false;
  std::set<std::uint64_t> long_ones;  // each once: a file cannot make us read one again and again
  return tree.sound(more, [&](Bytes record) {
    const Bytes id = record.subspan(order);
    if (Heap::is_long(id) && !long_ones.insert(Cursor(id).number(id.size())).second) return false;
    const auto link = heap.object(id, more);
    return !link.empty() && holds_what_it_says(message::link, 0, link, place.sizes);
  });
}

}  // namespace

// Address, and of packed ones the size and which filters were left out
std::uint64_t Indexes::Chunks::entry_bytes(NumberSizes sizes) const {
  constexpr std::uint64_t left_out = 4, largest = 8;
  const auto bits = std::uint64_t(std::bit_width(bytes));
  return sizes.address + (packed() ? std::min(1 + (bits + 7) / 8, largest) + left_out : 0);
}

bool Indexes::Chunks::has_all(std::uint64_t entries) const {
  if (chunk.size() != most.size() + 1) return false;
  for (std::size_t d = 0; d < most.size(); ++d) {
    const std::uint64_t chunks = most[d] / chunk[d] + (most[d] % chunk[d] != 0 ? 1 : 0);
    entries /= std::max<std::uint64_t>(chunks, 1);
  }
  return entries > 0;
}

bool Indexes::learn(std::uint64_t object, std::uint64_t type, Bytes body, Place place) {
  switch (type) {
    case message::dataspace:
      return learn_sizes(object, body, place);
    case message::link_info:
      return learn_links(body, place);
    case message::layout:
      return learn_layout(object, body, place);
    case message::filters:
      return learn_filters(object, body);
    default:
      return true;
  }
}

bool Indexes::learn_sizes(std::uint64_t object, Bytes body, Place place) {
  Cursor in(body);
  const auto version = in.number(1), dimensions = in.number(1), flags = in.number(1);
  in.skip(version == 1 ? 5 : 1);
  const bool has_maxima = (flags & 1) != 0;
  if (has_maxima) in.skip(dimensions * place.sizes.length);
  std::vector<std::uint64_t>& most = chunks_[object].most;
  if (!most.empty()) return true;
  for (std::uint64_t d = 0; d < dimensions; ++d) most.push_back(in.number(place.sizes.length));
  return in.ok();
}

bool Indexes::learn_layout(std::uint64_t object, Bytes body, Place place) {
  constexpr std::uint64_t first_with_indexes = 4, chunked = 2, fixed = 3, growing = 4, tree = 5;
  Cursor in(body);
  const auto version = in.number(1), kind = in.number(1);
  Chunks& chunks = chunks_[object];
  if (version < first_with_indexes) return learn_old_layout(object, body, place);
  if (kind != chunked || !chunks.chunk.empty()) return true;
  in.skip(1);
  const auto dimensions = in.number(1), bytes_of_size = in.number(1);
  chunks.bytes = 1;
  for (std::uint64_t d = 0; d < dimensions; ++d) {
    const std::uint64_t size = in.number(bytes_of_size);
    if (size == 0 || size > std::numeric_limits<std::uint64_t>::max() / chunks.bytes) return false;
    chunks.chunk.push_back(size);
    chunks.bytes *= size;
  }
  const auto index = in.number(1);
  if (index < fixed) return in.ok();
  in.skip(index == fixed ? 1 : index == growing ? 5 : index == tree ? 6 : 0);
  const auto at = in.number(place.sizes.address);
  if (!in.ok() || at == nowhere(place.sizes)) return in.ok();
  return object_of_.emplace(place.base + at, object).first->second == object;
}

// The chunks are in a tree, or there is none yet.
bool Indexes::learn_old_layout(std::uint64_t object, Bytes body, Place place) {
  constexpr std::uint64_t last_with_dimensions_first = 2, chunked = 2;
  Cursor in(body);
  const bool older = in.number(1) <= last_with_dimensions_first;
  auto dimensions = older ? in.number(1) : 0;
  if (in.number(1) != chunked) return in.ok();
  if (older)
    in.skip(5);
  else
    dimensions = in.number(1);
  const auto at = in.number(place.sizes.address);
  if (!in.ok() || at == nowhere(place.sizes)) return in.ok();
  return old_trees_.learn_chunks(object, place.base + at, dimensions);
}

bool Indexes::learn_filters(std::uint64_t object, Bytes body) {
  Cursor in(body);
  in.skip(1);
  std::optional<bool>& filtered = chunks_[object].filtered;
  if (!filtered) filtered = in.number(1) > 0;
  return in.ok();
}

bool Indexes::learn_links(Bytes body, Place place) {
  constexpr std::uint64_t has_largest_number = 1, has_order = 2;
  Cursor in(body);
  in.skip(1);
  const auto flags = in.number(1);
  if ((flags & has_largest_number) != 0) in.skip(8);
  const auto heap = place.base + in.number(place.sizes.address);
  for (int trees = (flags & has_order) != 0 ? 2 : 1; trees > 0; --trees) {
    const auto tree = in.number(place.sizes.address);
    if (!in.ok()) return false;
    if (tree == nowhere(place.sizes)) continue;
    if (heap_of_.emplace(place.base + tree, heap).first->second != heap) return false;
  }
  return true;
}

bool Indexes::sound(Bytes bytes, std::uint64_t at, Place place, const Read& more) {
  if (begins_with(bytes, "TREE")) return old_trees_.sound(bytes, at, place);
  if (begins_with(bytes, "SNOD")) return sound_table(bytes, place.sizes);
  if (begins_with(bytes, "BTHD")) return sound_tree(bytes, at, place, more);
  if (begins_with(bytes, "FRHP")) return sound_heap(bytes, place, more);
  if (begins_with(bytes, "FAHD")) return sound_fixed_list(bytes, at, place, more);
  if (begins_with(bytes, "EAHD")) return sound_growing_list(bytes, at, place, more);
  return true;
}

const Indexes::Chunks* Indexes::chunks_at(std::uint64_t at) const {
  const auto object = object_of_.find(at);
  return object == object_of_.end() ? nullptr : &chunks_.at(object->second);
}

bool Indexes::sound_heap(Bytes bytes, Place place, const Read& more) {
  Heap heap(bytes, place);
  if (!heap.find_long_ones(more)) return false;
  if (heap.has_long_ones()) long_links_.insert(heap.tree_of_long_ones());
  return true;
}

bool Indexes::sound_tree(Bytes bytes, std::uint64_t at, Place place, const Read& more) const {
  enum Kind : std::uint64_t {
    long_objects = 1,
    by_name = 5,
    by_number = 6,
    plain = 10,
    packed = 11
  };
  const Tree tree(bytes, place);
  if (tree.kind() == by_name || tree.kind() == by_number) {
    const auto heap = heap_of_.find(at);
    return heap != heap_of_.end() && sound_links(tree, heap->second, place, more);
  }
  if (tree.kind() == long_objects) return long_links_.contains(at);
  const Chunks* const chunks = chunks_at(at);
  if (chunks == nullptr || chunks->chunk.size() != chunks->most.size() + 1) return false;
  constexpr std::uint64_t number = 8;  // of a chunk, in each dimension
  return tree.kind() == (chunks->packed() ? packed : plain) &&
         tree.record_bytes() == chunks->entry_bytes(place.sizes) + number * chunks->most.size() &&
         tree.sound(more, [](Bytes) { return true; });
}

// Of chunks whose number is fixed. The library takes entries by their number, also behind the end,
// and as large as it expects them.
bool Indexes::sound_fixed_list(Bytes bytes, std::uint64_t at, Place place, const Read& more) const {
  const Chunks* const chunks = chunks_at(at);
  Cursor in(bytes);
  in.skip(signature);
  const auto version = in.number(1), packed = in.number(1), entry = in.number(1);
  const auto page = in.number(1), entries = in.number(place.sizes.length);
  constexpr std::uint64_t usual_page = 10;
  if (chunks == nullptr || !in.ok() || version != 0 || page != usual_page) return false;
  return chunks->fits(packed, entry, place.sizes) && chunks->has_all(entries) &&
         !more(entries - 1, 1).empty();
}

// Of chunks that may become more. No program can choose any of its measures. Of an array that was
// hardly written it has more entries than the file has bytes, and the library goes through all.
bool Indexes::sound_growing_list(Bytes bytes, std::uint64_t at, Place place,
                                 const Read& more) const {
  const Chunks* const chunks = chunks_at(at);
  Cursor in(bytes);
  in.skip(signature);
  const auto version = in.number(1), packed = in.number(1), entry = in.number(1);
  constexpr std::uint64_t usual[] = {32, 4, 16, 4, 10};
  const bool measures = std::ranges::all_of(usual, [&](auto n) { return in.number(1) == n; });
  in.skip(4 * place.sizes.length);
  const auto entries = in.number(place.sizes.length);
  if (chunks == nullptr || !in.ok() || version != 0 || !measures) return false;
  constexpr std::uint64_t always = 1 << 21;
  return chunks->fits(packed, entry, place.sizes) &&
         (entries <= always || !more(entries - 1, 1).empty());
}

}  // namespace tamis::hdf5
