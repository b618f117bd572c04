#include "io/hdf5/tree.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace tamis::hdf5 {
namespace {

constexpr std::size_t signature = 4;
constexpr std::uint64_t around = 10;  // signature, version, kind and checksum of a node

std::size_t bytes_of_count(std::uint64_t most) {
  return (std::size_t(std::bit_width(most)) + 7) / 8;
}

}  // namespace

Tree::Tree(Bytes header, Place place) : place_(place) {
  Cursor in(header);
  in.skip(signature);
  const auto version = in.number(1);
  kind_ = in.number(1);
  node_bytes_ = in.number(4);
  record_ = in.number(2);
  root_.depth = in.number(2);
  in.skip(2);
  root_.at = in.number(place.sizes.address);
  root_.records = in.number(2);
  records_ = in.number(place.sizes.length);
  constexpr std::uint64_t largest_node = 1 << 16;
  constexpr std::size_t deepest = 16;
  readable_ = in.ok() && version == 0 && record_ > 0 && node_bytes_ > around &&
              node_bytes_ <= largest_node && root_.depth <= deepest;
  if (readable_) measure_levels(root_.depth);
}

void Tree::measure_levels(std::size_t depth) {
  levels_.push_back({.most = (node_bytes_ - around) / record_});
  const std::size_t bytes_of_number = bytes_of_count(levels_[0].most);
  std::uint64_t total = levels_[0].most;
  while (levels_.size() <= depth && readable_) {
    const std::uint64_t pointer =
        place_.sizes.address + bytes_of_number + levels_.back().bytes_of_total;
    const std::uint64_t room = node_bytes_ - around;
    const std::uint64_t most = room < pointer ? 0 : (room - pointer) / (record_ + pointer);
    readable_ = most > 0 && total < std::numeric_limits<std::uint64_t>::max() / (most + 2);
    total = (most + 1) * total + most;
    levels_.push_back({.most = most, .bytes_of_total = bytes_of_count(total)});
  }
  readable_ = readable_ && levels_[0].most > 0;
}

bool Tree::sound(const Read& more, const Right& right) const {
  Walk walk{.more = more, .right = right, .seen = {}};
  return walk_through(walk);
}

bool Tree::sound(const Read& more, const Right& right, Owned& owned, std::uint64_t at) const {
  Walk walk{.more = more, .right = right, .seen = {}};
  return walk_through(walk) && std::ranges::all_of(walk.seen, [&](std::uint64_t node) {
           return owned.take(place_.base + node, node_bytes_, at);
         });
}

bool Tree::walk_through(Walk& walk) const {
  if (!readable_) return false;
  if (root_.records == 0) return records_ == 0 && root_.depth == 0;
  return sound_node(root_, walk) && walk.records == records_;
}

bool Tree::sound_node(Node node, Walk& walk) const {
  if (node.records > levels_[node.depth].most || !walk.seen.insert(node.at).second) return false;
  const std::vector<std::byte> bytes = walk.more(place_.base + node.at, node_bytes_);
  if (!begins_with(bytes, node.depth > 0 ? "BTIN" : "BTLF")) return false;
  Cursor in(bytes);
  in.skip(signature);
  if (in.number(1) != 0 || in.number(1) != kind_) return false;
  for (std::uint64_t i = 0; i < node.records; ++i)
    if (!walk.right(in.take(record_))) return false;
  walk.records += node.records;
  return node.depth == 0 || sound_children(in, node, walk);
}

bool Tree::sound_children(Cursor& in, Node node, Walk& walk) const {
  const Level& below = levels_[node.depth - 1];
  for (std::uint64_t i = 0; i <= node.records; ++i) {
    const Node child{.at = in.number(place_.sizes.address),
                     .records = in.number(bytes_of_count(levels_[0].most)),
                     .depth = node.depth - 1};
    const std::uint64_t before = walk.records;
    const std::uint64_t total = in.number(below.bytes_of_total);
    if (!in.ok() || !sound_node(child, walk)) return false;
    if (child.depth > 0 && walk.records - before != total) return false;
  }
  return true;
}

}  // namespace tamis::hdf5
