#include "io/hdf5/entries.hpp"

#include <algorithm>

#include "io/hdf5/messages.hpp"

namespace tamis::hdf5 {

bool Entries::learn(std::uint64_t object, std::uint64_t type, std::uint64_t flags, Bytes body,
                    Place place) {
  if (type == message::datatype)
    return learn_type(object, (flags & message::shared_flag) != 0, body, place);
  if (type != message::fill_value && type != message::old_fill_value) return true;
  Entry& entry = entries_[object];
  entry.fill_bytes.at(type == message::fill_value ? 0 : 1) = bytes_of_fill_value(type, body);
  return agrees(entry);
}

bool Entries::learn_type(std::uint64_t object, bool elsewhere, Bytes body, Place place) {
  Entry& entry = entries_[object];
  if (elsewhere) {
    entry.type_at = place.base + address_of_shared(body, place.sizes);
    users_[entry.type_at].insert(object);
    return agrees(entry);
  }
  entry.bytes = bytes_of_type(body);
  const auto users = users_.find(object);
  return agrees(entry) &&
         (users == users_.end() ||
          std::ranges::all_of(users->second, [&](auto user) { return agrees(entries_.at(user)); }));
}

bool Entries::agrees(const Entry& entry) const {
  const auto named = entries_.find(entry.type_at);
  const bool here = entry.bytes != 0;
  const std::uint64_t bytes = here                      ? entry.bytes
                              : named != entries_.end() ? named->second.bytes
                                                        : 0;
  return std::ranges::all_of(entry.fill_bytes, [&](std::uint64_t fill) {
    return fill == 0 || bytes == 0 || fill == bytes;
  });
}

}  // namespace tamis::hdf5
