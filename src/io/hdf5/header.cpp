#include "io/hdf5/header.hpp"

#include <algorithm>
#include <string_view>

#include "io/hdf5/external.hpp"
#include "io/hdf5/messages.hpp"
#include "io/hdf5/virtual.hpp"

namespace tamis::hdf5 {
namespace {

using namespace std::literals;

constexpr auto file_signature = "\x89HDF\r\n\x1a\n"sv;
constexpr auto header_signature = "OHDR"sv;
constexpr std::byte old_header_version{1};
constexpr auto part_signature = "OCHK"sv;
constexpr auto heap_signature = "HEAP\0\0\0\0"sv;
constexpr std::size_t checksum = 4;

}  // namespace

bool is_cache_image(Bytes bytes) { return begins_with(bytes, "MDCI"); }

void Headers::learn_sizes(Bytes superblock, std::uint64_t at) {
  if (place_.sizes.address != 0 || !begins_with(superblock, file_signature)) return;
  Cursor in(superblock.subspan(file_signature.size()));
  const auto version = in.number(1);
  if (version < 2) in.skip(4);
  const NumberSizes read{.address = in.number(1), .length = in.number(1)};
  if (!in.ok()) return;  // only the signature yet
  place_ = {.sizes = read, .base = at};
}

bool Headers::sound(Bytes bytes, std::uint64_t at, const Read& more) {
  if (place_.sizes.address == 0 || place_.sizes.length == 0) return false;
  // A long header is read in two steps, at once one after the other.
  const bool rest = is_rest(bytes, at);
  rest_ = {};
  if (rest) return true;
  bool is_part = false;
  if (const auto found = parts_.find(at); found != parts_.end())
    for (const Part& part : std::vector(found->second)) {  // it may become more
      if (part.bytes != bytes.size()) continue;            // as many are read as were said
      if (!sound_part(bytes, part, more)) return false;
      is_part = true;
    }
  if (begins_with(bytes, part_signature) && !is_part) return false;  // of which header?
  if (begins_with(bytes, header_signature)) return sound_header(bytes, at, more);
  if (bytes.empty() || bytes[0] != old_header_version) return true;
  return (is_part && !may_be_header(bytes, at, more)) || sound_header(bytes, at, more);
}

// Further parts of old headers have no signature, and begin like a header if a shape is the first
// that is in them. The library does not believe that one is a header if its messages do not follow
// each other as they should.
bool Headers::may_be_header(Bytes bytes, std::uint64_t at, const Read& more) {
  constexpr std::size_t first_step = 512;
  const bool has_size_of_header = bytes.size() == first_step || more(at + bytes.size(), 1).empty();
  const Beginning beginning = beginning_of(bytes);
  if (!has_size_of_header || !beginning.ok) return false;
  const std::vector<std::byte> messages = more(at + beginning.bytes, beginning.messages);
  if (messages.size() != beginning.messages) return false;
  Cursor in(messages);
  while (in.left().size() >= beginning.form.head()) {
    const auto type = in.number(2), size = in.number(2);
    constexpr std::uint64_t unit = 8;
    if (type == message::continuation) return true;  // believed before the next one is looked at
    in.skip(4);
    if (size % unit != 0) in.fail();
    in.skip(size);
  }
  return in.ok() && in.left().empty();
}

Headers::Beginning Headers::beginning_of(Bytes bytes) {
  constexpr std::uint64_t has_times = 0x20, has_limits = 0x10, has_order = 0x04, all_flags = 0x3f;
  Cursor in(bytes);
  Beginning found;
  if (begins_with(bytes, header_signature)) {
    in.skip(header_signature.size());
    const auto version = in.number(1), flags = in.number(1);
    if ((flags & has_times) != 0) in.skip(16);
    const auto most = (flags & has_limits) != 0 ? in.number(2) : 1;
    const auto least = (flags & has_limits) != 0 ? in.number(2) : 0;
    found.messages = in.number(std::size_t(1) << (flags & 3));
    found.form = {.version = 2, .ordered = (flags & has_order) != 0};
    found.ok = version == 2 && flags <= all_flags && most >= least;
  } else {
    in.skip(2);
    const auto count = in.number(2);
    in.skip(4);
    found.messages = in.number(4);
    in.skip(4);
    found.ok = (count > 0) == (found.messages > 0);
  }
  found.ok = found.ok && in.ok();
  found.bytes = bytes.size() - in.left().size();
  return found;
}

bool Headers::sound_header(Bytes bytes, std::uint64_t at, const Read& more) {
  const Beginning beginning = beginning_of(bytes);
  if (!beginning.ok) return false;
  const std::uint64_t end = beginning.form.version == 1 ? 0 : checksum;
  const Bytes here = bytes.subspan(beginning.bytes);
  if (here.size() >= end && beginning.messages <= here.size() - end)
    return sound_messages(here.first(beginning.messages), beginning.form, at, more);
  rest_ = {.at = at + bytes.size(),
           .bytes = beginning.messages + end - here.size(),
           .form = beginning.form};
  const std::vector<std::byte> whole = more(at + beginning.bytes, beginning.messages);
  return whole.size() == beginning.messages && sound_messages(whole, beginning.form, at, more);
}

bool Headers::sound_part(Bytes bytes, const Part& part, const Read& more) {
  if (part.form.version == 1) return sound_messages(bytes, part.form, part.object, more);
  const std::size_t around = part_signature.size() + checksum;
  if (bytes.size() < around) return false;
  return sound_messages(bytes.subspan(part_signature.size(), bytes.size() - around), part.form,
                        part.object, more);
}

// The library follows the list wherever it goes, and takes memory for every step.
bool Headers::sound_heap(Bytes bytes, std::uint64_t at, const Read& more) {
  if (!begins_with(bytes, heap_signature)) return true;
  if (place_.sizes.length == 0) return false;
  Cursor in(bytes.subspan(heap_signature.size()));
  const auto size = in.number(place_.sizes.length);
  auto free = in.number(place_.sizes.length);
  const std::uint64_t begin = place_.base + in.number(place_.sizes.address);
  const std::vector<std::byte> data = more(begin, size);
  if (!in.ok() || data.size() != size) return false;
  if (size > 0) {
    if (!names_.take(begin, size, at)) return false;
    ends_of_names_.insert(begin + size - 1);
  }
  constexpr std::uint64_t nothing = 1;
  const std::uint64_t most = size / (2 * place_.sizes.length);
  for (std::uint64_t steps = 0; free != nothing; ++steps) {
    if (steps > most || free > size) return false;
    Cursor block(Bytes(data).subspan(free));
    free = block.number(place_.sizes.length);
    block.skip(place_.sizes.length);
    if (!block.ok()) return false;
  }
  return true;
}

void Headers::end_names(std::span<std::byte> bytes, std::uint64_t at) const {
  const auto end = ends_of_names_.lower_bound(at);
  for (auto last = end; last != ends_of_names_.end() && *last - at < bytes.size(); ++last)
    bytes[*last - at] = std::byte(0);
}

bool Headers::sound_message(std::uint64_t type, std::uint64_t flags, Bytes body,
                            std::uint64_t object, const Read& more) {
  return holds_what_it_says(type, flags, body, place_.sizes) &&
         indexes_.learn(object, type, body, place_) &&
         entries_.learn(object, type, flags, body, place_) &&
         (type != message::layout || sound_virtual(body, place_, more)) &&
         (type != message::external_files || sound_external(body, place_, more));
}

bool Headers::sound_messages(Bytes bytes, Form form, std::uint64_t object, const Read& more) {
  Cursor in(bytes);
  while (in.left().size() >= form.head()) {
    const bool old = form.version == 1;
    const auto type = in.number(old ? 2 : 1), size = in.number(2), flags = in.number(1);
    in.skip(form.head() - (old ? 5 : 4));
    const Bytes body = in.take(size);
    if (!in.ok() || !sound_message(type, flags, body, object, more)) return false;
    if (type == message::continuation && !learn_part(body, form, object, more)) return false;
  }
  // In old ones the library goes on while there is anything.
  return form.version != 1 || in.left().empty();
}

// A part is that of one header, and has its own bytes of the file. It is also that of another only
// if a part of the first looks like a header, and leads on from there.
bool Headers::learn_part(Bytes continuation, Form form, std::uint64_t object, const Read& more) {
  constexpr std::size_t most = 2;
  Cursor in(continuation);
  const Part part{.at = place_.base + in.number(place_.sizes.address),
                  .bytes = in.number(place_.sizes.length),
                  .form = form,
                  .object = object};
  std::vector<Part>& known = parts_[part.at];
  if (!in.ok() || part.bytes == 0) return false;
  if (std::ranges::find(known, part) != known.end()) return true;
  known.push_back(part);
  if (known.size() > most || part.bytes > ~bytes_of_parts_) return false;
  bytes_of_parts_ += part.bytes;
  return !more((bytes_of_parts_ - 1) / most, 1).empty();
}

}  // namespace tamis::hdf5
