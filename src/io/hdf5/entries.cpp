#include "io/hdf5/entries.hpp"

#include <algorithm>

#include "io/hdf5/layout.hpp"
#include "io/hdf5/messages.hpp"

namespace tamis::hdf5 {
namespace {

// What is said again must be the same: of several messages the library takes one.
bool same(std::optional<std::uint64_t>& known, std::uint64_t said) {
  if (!known) known = said;
  return *known == said;
}

std::uint64_t bytes_in_chunks(Bytes layout, NumberSizes sizes) {
  const auto chunks = chunk_layout(layout, sizes);
  return chunks && !chunks->sizes.empty() ? chunks->sizes.back() : 0;
}

}  // namespace

bool Entries::learn(std::uint64_t object, std::uint64_t type, std::uint64_t flags, Bytes body,
                    Place place) {
  const auto learn_other = [&](std::size_t i, std::uint64_t bytes) {
    Entry& entry = entries_[object];
    return same(entry.others.at(i), bytes) && agrees(entry);
  };
  switch (type) {
    case message::datatype:
      return (flags & message::shared_flag) != 0
                 ? learn_shared(object, place.base + address_of_shared(body, place.sizes))
                 : learn_type(object, bytes_of_type(body));
    case message::fill_value:
      return learn_other(0, bytes_of_fill_value(type, body));
    case message::old_fill_value:
      return learn_other(1, bytes_of_fill_value(type, body));
    case message::layout:
      return learn_other(2, bytes_in_chunks(body, place.sizes));
    default:
      return true;
  }
}

bool Entries::learn_type(std::uint64_t object, std::uint64_t bytes) {
  Entry& entry = entries_[object];
  if (entry.type_at || !same(entry.bytes, bytes) || !agrees(entry)) return false;
  const auto users = users_.find(object);
  return users == users_.end() ||
         std::ranges::all_of(users->second, [&](auto user) { return agrees(entries_.at(user)); });
}

// The library follows one type to the next, also round in a circle. A program names none that is
// itself elsewhere.
bool Entries::learn_shared(std::uint64_t object, std::uint64_t type_at) {
  Entry& entry = entries_[object];
  if (entry.bytes || !same(entry.type_at, type_at)) return false;
  users_[type_at].insert(object);
  const auto named = entries_.find(type_at);
  const bool goes_on = named != entries_.end() && named->second.type_at.has_value();
  return !goes_on && !users_.contains(object) && agrees(entry);
}

bool Entries::agrees(const Entry& entry) const {
  std::optional<std::uint64_t> bytes = entry.bytes;
  if (entry.type_at)
    if (const auto named = entries_.find(*entry.type_at); named != entries_.end())
      bytes = named->second.bytes;
  return !bytes || std::ranges::all_of(entry.others, [&](const auto& other) {
    return other.value_or(0) == 0 || other == bytes;
  });
}

}  // namespace tamis::hdf5
