#include "io/hdf5/old_tree.hpp"

namespace tamis::hdf5 {
namespace {

constexpr std::size_t signature = 4;

}  // namespace

bool OldTrees::learn_chunks(std::uint64_t object, std::uint64_t root, std::uint64_t dimensions) {
  // Size and filters of a chunk, and its place with that of a byte in the entry
  return fits(root, {.kind = chunks, .key = 8 + 8 * dimensions, .level = {}, .above = object});
}

// Whether it agrees with all that was said of it. A node in the library's memory is not read again
// when something else refers to it.
bool OldTrees::fits(std::uint64_t at, const Node& node) {
  Node& known = nodes_.emplace(at, node).first->second;
  if (!known.level) known.level = node.level;
  if (!known.above) known.above = node.above;
  return known.kind == node.kind && known.key == node.key &&
         (!node.level || known.level == node.level) && (!node.above || known.above == node.above);
}

bool OldTrees::sound(Bytes bytes, std::uint64_t at, Place place) {
  Cursor in(bytes);
  in.skip(signature);
  const auto kind = in.number(1), level = in.number(1), entries = in.number(2);
  in.skip(2 * place.sizes.address);  // its neighbours
  const auto known = nodes_.find(at);
  if (kind > chunks) return false;
  if (kind == chunks && known == nodes_.end()) return false;  // of which array?
  const std::uint64_t key = kind == links ? place.sizes.length : known->second.key;
  if (!fits(at, {.kind = kind, .key = key, .level = level, .above = {}})) return false;
  for (std::uint64_t i = 0; i < entries && in.ok(); ++i) {
    in.skip(key);
    const std::uint64_t here = at + (bytes.size() - in.left().size());
    const auto child = place.base + in.number(place.sizes.address);
    if (level == 0 && kind == chunks) continue;  // a chunk
    const Node below{.kind = level > 0 ? kind : tables,
                     .key = key,
                     .level = level > 0 ? level - 1 : 0,
                     .above = here};
    if (!fits(child, below)) return false;
  }
  in.skip(key);  // behind the last one
  return in.ok();
}

bool sound_table(Bytes bytes, NumberSizes sizes) {
  constexpr std::uint64_t kept = 24;  // of what a link leads to, with its kind
  Cursor in(bytes);
  in.skip(signature + 2);
  const auto links = in.number(2);
  in.skip(links * (sizes.length + sizes.address + kept));
  return in.ok();
}

}  // namespace tamis::hdf5
