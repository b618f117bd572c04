#include "io/hdf5/index.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>
#include <utility>

#include "io/hdf5/growing_list.hpp"
#include "io/hdf5/heap.hpp"
#include "io/hdf5/layout.hpp"
#include "io/hdf5/messages.hpp"

namespace tamis::hdf5 {
namespace {

constexpr std::size_t signature = 4;

// Of trees
enum Kind : std::uint64_t { long_objects = 1, by_name = 5, by_number = 6, plain = 10, packed = 11 };

// Each record has a few bytes by which they are in order, and what a link is called in the heap.
bool sound_links(const Tree& tree, std::uint64_t at, std::uint64_t heap_at, Place place,
                 const Read& more, Owned& owned) {
  Heap heap(more(heap_at, Heap::header_bytes(place.sizes)), heap_at, place);
  constexpr std::uint64_t order_of_name = 4, order_of_number = 8;
  const std::uint64_t order = tree.kind() == by_name ? order_of_name : order_of_number;
  if (!heap.find_long_ones(more, owned) || tree.record_bytes() != order + Heap::bytes_of_id)
    return false;
  std::set<std::uint64_t> long_ones;  // each once: a file cannot make us read one again and again
  const auto right = [&](Bytes record) {
    const Bytes id = record.subspan(order);
    if (Heap::is_long(id) && !long_ones.insert(Cursor(id).number(id.size())).second) return false;
    const auto link = heap.object(id, more);
    return !link.empty() && holds_what_it_says(message::link, 0, link, place.sizes);
  };
  return tree.sound(more, right, owned, at);
}

}  // namespace

// Address, and of packed ones the size and which filters were left out
std::uint64_t Indexes::Chunks::entry_bytes(NumberSizes sizes) const {
  constexpr std::uint64_t left_out = 4, largest = 8;
  const auto bits = std::uint64_t(std::bit_width(bytes));
  return sizes.address + (packed() ? std::min(1 + (bits + 7) / 8, largest) + left_out : 0);
}

bool Indexes::Chunks::agree() const {
  return !most || chunk.empty() || chunk.size() == most->size() + 1;
}

bool Indexes::Chunks::has_all(std::uint64_t entries) const {
  if (!most) return false;
  for (std::size_t d = 0; d < most->size(); ++d) {
    const std::uint64_t size = most->at(d);
    const std::uint64_t chunks = size / chunk[d] + (size % chunk[d] != 0 ? 1 : 0);
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
  Chunks& chunks = chunks_[object];
  if (chunks.most) return true;
  auto& most = chunks.most.emplace();
  for (std::uint64_t d = 0; d < dimensions; ++d) most.push_back(in.number(place.sizes.length));
  return in.ok() && chunks.agree();
}

// The chunks are where they are found by a tree or a list, or there is none yet.
bool Indexes::learn_layout(std::uint64_t object, Bytes body, Place place) {
  Chunks& chunks = chunks_[object];
  if (std::exchange(chunks.has_layout, true)) return true;
  const auto layout = chunk_layout(body, place.sizes);
  if (!layout) return true;
  chunks.chunk = layout->sizes;
  chunks.bytes = 1;
  for (const std::uint64_t size : chunks.chunk) {
    if (size == 0 || size > std::numeric_limits<std::uint64_t>::max() / chunks.bytes) return false;
    chunks.bytes *= size;
  }
  if (!layout->ok || !chunks.agree()) return false;
  if (layout->at == nowhere(place.sizes)) return true;
  const std::uint64_t at = place.base + layout->at;
  if (layout->index == ChunkLayout::old_tree)
    return old_trees_.learn_chunks(object, at, layout->sizes.size());
  return layout->index < ChunkLayout::fixed ||
         learn_purpose(at, {.kind = Purpose::chunks, .owner = object});
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
  const auto learn_tree = [&](Purpose::Kind kind) {
    const auto tree = in.number(place.sizes.address);
    if (!in.ok() || tree == nowhere(place.sizes)) return in.ok();
    return learn_purpose(place.base + tree, {.kind = kind, .owner = heap});
  };
  return learn_tree(Purpose::links_by_name) &&
         ((flags & has_order) == 0 || learn_tree(Purpose::links_by_number));
}

bool Indexes::sound(Bytes bytes, std::uint64_t at, Place place, const Read& more) {
  if (begins_with(bytes, "TREE")) return old_trees_.sound(bytes, at, place);
  if (begins_with(bytes, "SNOD")) return sound_table(bytes, place.sizes);
  if (begins_with(bytes, "BTHD")) return sound_tree(bytes, at, place, more);
  if (begins_with(bytes, "FRHP")) return sound_heap(bytes, at, place, more);
  if (begins_with(bytes, "FAHD")) return sound_fixed_list(bytes, at, place, more);
  if (begins_with(bytes, "EAHD")) return sound_growing_list(bytes, at, place, more);
  return true;
}

const Indexes::Chunks* Indexes::chunks_at(std::uint64_t at) const {
  const auto found = purposes_.find(at);
  const bool has = found != purposes_.end() && found->second.kind == Purpose::chunks;
  return has ? &chunks_.at(found->second.owner) : nullptr;
}

bool Indexes::sound_heap(Bytes bytes, std::uint64_t at, Place place, const Read& more) {
  Heap heap(bytes, at, place);
  if (!heap.find_long_ones(more, owned_)) return false;
  return !heap.has_long_ones() ||
         learn_purpose(heap.tree_of_long_ones(), {.kind = Purpose::long_links, .owner = at});
}

bool Indexes::sound_tree(Bytes bytes, std::uint64_t at, Place place, const Read& more) {
  const Tree tree(bytes, place);
  const auto found = purposes_.find(at);
  if (found == purposes_.end()) return false;
  const auto [kind, owner] = found->second;
  switch (kind) {
    case Purpose::links_by_name:
      return tree.kind() == by_name && sound_links(tree, at, owner, place, more, owned_);
    case Purpose::links_by_number:
      return tree.kind() == by_number && sound_links(tree, at, owner, place, more, owned_);
    case Purpose::long_links:
      return tree.kind() == long_objects;  // its heap was looked through
    case Purpose::chunks:
      return sound_chunk_tree(tree, at, place, more);
  }
  return false;
}

bool Indexes::sound_chunk_tree(const Tree& tree, std::uint64_t at, Place place, const Read& more) {
  const Chunks* const chunks = chunks_at(at);
  if (chunks == nullptr || !chunks->most) return false;
  constexpr std::uint64_t number = 8;  // of a chunk, in each dimension
  return tree.kind() == (chunks->packed() ? packed : plain) &&
         tree.record_bytes() == chunks->entry_bytes(place.sizes) + number * chunks->most->size() &&
         tree.sound(
             more, [](Bytes) { return true; }, owned_, at);
}

// Of chunks whose number is fixed. The library takes entries by their number, also behind the end,
// and as large as it expects them.
bool Indexes::sound_fixed_list(Bytes bytes, std::uint64_t at, Place place, const Read& more) {
  const Chunks* const chunks = chunks_at(at);
  Cursor in(bytes);
  in.skip(signature);
  const auto version = in.number(1), packed = in.number(1), entry = in.number(1);
  const auto page = in.number(1), entries = in.number(place.sizes.length);
  const auto block = in.number(place.sizes.address);
  constexpr std::uint64_t usual_page = 10;
  if (chunks == nullptr || !in.ok() || version != 0 || page != usual_page) return false;
  const bool fits = chunks->fits(packed, entry, place.sizes) && chunks->has_all(entries) &&
                    !more(entries - 1, 1).empty();
  if (!fits || block == nowhere(place.sizes)) return fits;
  // It says whose it is. Behind that there are the entries, and a few bytes more.
  const std::size_t before = signature + 2;
  const auto head = more(place.base + block, before + place.sizes.address);
  Cursor owner(Bytes(head).subspan(std::min(before, head.size())));
  return begins_with(head, "FADB") && place.base + owner.number(place.sizes.address) == at &&
         owner.ok() && owned_.take(place.base + block, entries * entry, at);
}

// Of chunks that may become more. No program can choose any of its measures. Of an array that was
// hardly written it has more entries than the file has bytes, and the library goes through all.
bool Indexes::sound_growing_list(Bytes bytes, std::uint64_t at, Place place, const Read& more) {
  const Chunks* const chunks = chunks_at(at);
  Cursor in(bytes);
  in.skip(signature);
  const auto version = in.number(1), packed = in.number(1), entry = in.number(1);
  constexpr std::uint64_t usual[] = {32, 4, 16, 4, 10};
  const bool measures = std::ranges::all_of(usual, [&](auto n) { return in.number(1) == n; });
  in.skip(4 * place.sizes.length);
  const auto entries = in.number(place.sizes.length);
  in.skip(place.sizes.length);
  const auto first_block = in.number(place.sizes.address);
  if (chunks == nullptr || !in.ok() || version != 0 || !measures) return false;
  constexpr std::uint64_t always = 1 << 21, most = std::numeric_limits<std::uint32_t>::max();
  const bool possible = entries <= always || (entries <= most && !more(entries - 1, 1).empty());
  return possible && chunks->fits(packed, entry, place.sizes) &&
         GrowingList(at, entry, place, more, owned_).sound(first_block);
}

}  // namespace tamis::hdf5
