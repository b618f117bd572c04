#include "io/hdf5/messages.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace tamis::hdf5 {
namespace {

// Types in types; the library goes as deep as a file says.
constexpr int deepest_type = 32;

void dataspace(Cursor& in, NumberSizes sizes) {
  const auto version = in.number(1), dimensions = in.number(1), flags = in.number(1);
  in.skip(version == 1 ? 5 : 1);
  Cursor extents(in.take(dimensions * sizes.length));
  const bool has_maxima = (flags & 1) != 0;
  if (!has_maxima) return;
  // Where chunks are is worked out from the largest that it may become.
  Cursor maxima(in.take(dimensions * sizes.length));
  for (std::uint64_t d = 0; d < dimensions; ++d)
    if (extents.number(sizes.length) > maxima.number(sizes.length)) in.fail();
}

// With a zero at its end, in old files filled up to a multiple of 8
void name_of_member(Cursor& in, bool filled_up) {
  const std::uint64_t bytes = in.text().size();
  if (filled_up) in.skip((8 - bytes % 8) % 8);
}

// Of an entry's bits, those that are used: the library copies them wherever they are said to be.
// Returns how many.
std::uint64_t used_bits(Cursor& in, std::uint64_t size) {
  const auto first = in.number(2), count = in.number(2);
  if (count == 0 || first + count > 8 * size) in.fail();
  return count;
}

void real_number(Cursor& in, std::uint64_t flags, std::uint64_t size) {
  const auto bits = used_bits(in, size);
  const auto sign = flags >> 8 & 0xff;
  const auto exponent = in.number(1), exponent_bits = in.number(1);
  const auto mantissa = in.number(1), mantissa_bits = in.number(1);
  in.skip(4);
  const bool inside = sign < bits && exponent + exponent_bits <= bits &&
                      mantissa + mantissa_bits <= bits && exponent_bits > 0 && mantissa_bits > 0;
  if (!inside) in.fail();
}

std::uint64_t datatype_size(Cursor& in, int depth);

void compound(Cursor& in, std::uint64_t version, std::uint64_t members, std::uint64_t size,
              int depth) {
  const std::size_t bytes_of_offset = version < 3 ? 4 : (std::bit_width(size) + 7) / 8;
  for (; members > 0 && in.ok(); --members) {
    name_of_member(in, version < 3);
    in.skip(bytes_of_offset);
    constexpr std::uint64_t dimensions = 28;  // of arrays, before they were types
    if (version == 1) in.skip(dimensions);
    datatype_size(in, depth + 1);
  }
}

// What its members have in memory is copied by the size of the whole, so it must be that of a
// member.
void enumeration(Cursor& in, std::uint64_t version, std::uint64_t members, std::uint64_t size,
                 int depth) {
  if (datatype_size(in, depth + 1) != size) return in.fail();
  for (std::uint64_t i = 0; i < members && in.ok(); ++i) name_of_member(in, version < 3);
  in.skip(members * size);
}

void array(Cursor& in, std::uint64_t version, int depth) {
  const auto dimensions = in.number(1);
  const bool has_order = version < 3;
  in.skip((has_order ? 3 : 0) + 4 * dimensions * (has_order ? 2 : 1));
  datatype_size(in, depth + 1);
}

std::uint64_t datatype_size(Cursor& in, int depth) {
  enum Kind {
    integer,
    real,
    time,
    text,
    bits,
    opaque,
    record,
    reference,
    names,
    list,
    block,
    pair
  };
  const auto head = in.number(1), flags = in.number(3), size = in.number(4);
  const auto version = head >> 4;
  if (depth > deepest_type || size == 0) in.fail();
  if (!in.ok()) return 0;
  switch (head & 15) {
    case text:
    case reference:
      break;
    case time:
      in.skip(2);
      break;
    case integer:
    case bits:
      used_bits(in, size);
      break;
    case real:
      real_number(in, flags, size);
      break;
    case opaque:
      in.skip(flags & 0xff);
      break;
    case record:
      compound(in, version, flags & 0xffff, size, depth);
      break;
    case names:
      enumeration(in, version, flags & 0xffff, size, depth);
      break;
    case block:
      array(in, version, depth);
      break;
    case list:
    case pair:
      datatype_size(in, depth + 1);
      break;
    default:
      in.fail();
  }
  return size;
}

void datatype(Cursor& in, NumberSizes) { datatype_size(in, 0); }

// How many bytes of it there are; 0 if there is none.
std::uint64_t size_of_old_fill_value(Cursor& in) { return in.number(4); }

std::uint64_t size_of_fill_value(Cursor& in) {
  constexpr std::uint64_t has_value = 0x20, negative = 0x80000000;
  const auto version = in.number(1);
  if (version < 3) {
    in.skip(2);
    if (in.number(1) == 0) return 0;
  } else if ((in.number(1) & has_value) == 0) {
    return 0;
  }
  const auto size = in.number(4);
  return version < 3 && (size & negative) != 0 ? 0 : size;
}

void old_fill_value(Cursor& in, NumberSizes) { in.skip(size_of_old_fill_value(in)); }
void fill_value(Cursor& in, NumberSizes) { in.skip(size_of_fill_value(in)); }

// Where the library refuses a link, it frees what it never had: also what it would not understand
// must not reach it.
void link(Cursor& in, NumberSizes sizes) {
  enum Kind : std::uint64_t { hard, soft, first_of_users = 64 };
  constexpr std::uint64_t has_kind = 8, has_order = 4, has_encoding = 0x10, all = 0x1f;
  const auto version = in.number(1), flags = in.number(1);
  const auto kind = (flags & has_kind) != 0 ? in.number(1) : hard;
  if ((flags & has_order) != 0) in.skip(8);
  const auto encoding = (flags & has_encoding) != 0 ? in.number(1) : 0;
  const auto name = in.number(std::size_t(1) << (flags & 3));
  in.skip(name);
  const auto value = kind == hard ? sizes.address : in.number(2);
  in.skip(value);
  const bool known = kind == hard || kind == soft || kind >= first_of_users;
  if (version != 1 || flags > all || !known || encoding > 1 || name == 0) in.fail();
  if (kind == soft && value == 0) in.fail();
}

void external_files(Cursor& in, NumberSizes sizes) {
  in.skip(6);
  const auto used = in.number(2);
  in.skip(sizes.address + used * 3 * sizes.length);
}

enum class Layout : std::uint64_t { compact, contiguous, chunked, elsewhere };

void old_layout(Cursor& in, NumberSizes sizes) {
  const auto dimensions = in.number(1);
  const auto layout = Layout(in.number(1));
  in.skip(5);
  if (layout != Layout::compact) in.skip(sizes.address);
  in.skip(4 * dimensions);
  if (layout == Layout::compact) in.skip(in.number(4));
}

void chunks(Cursor& in, std::uint64_t version, NumberSizes sizes) {
  if (version < 4) {
    const auto dimensions = in.number(1);
    in.skip(sizes.address + 4 * dimensions);
    return;
  }
  const auto flags = in.number(1), dimensions = in.number(1), bytes_of_size = in.number(1);
  in.skip(dimensions * bytes_of_size);
  constexpr std::uint64_t one_chunk = 1, packed = 2;
  constexpr std::array<std::uint64_t, 6> bytes_of_index{0, 0, 0, 1, 5, 6};
  const auto index = in.number(1);
  if (index >= bytes_of_index.size()) return in.fail();
  in.skip(bytes_of_index[index]);
  if (index == one_chunk && (flags & packed) != 0) in.skip(sizes.length + 4);
  in.skip(sizes.address);
}

void layout(Cursor& in, NumberSizes sizes) {
  const auto version = in.number(1);
  if (version < 3) return old_layout(in, sizes);
  switch (Layout(in.number(1))) {
    case Layout::compact:
      return in.skip(in.number(2));
    case Layout::contiguous:
      return in.skip(sizes.address + sizes.length);
    case Layout::chunked:
      return chunks(in, version, sizes);
    case Layout::elsewhere:
      return in.skip(sizes.address + 4);
  }
  in.fail();
}

void filters(Cursor& in, NumberSizes) {
  constexpr std::uint64_t first_without_name = 256;
  const auto version = in.number(1), count = in.number(1);
  const bool old = version < 2;
  if (old) in.skip(6);
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    const auto filter = in.number(2);
    const auto name = old || filter >= first_without_name ? in.number(2) : 0;
    in.skip(2);
    const auto values = in.number(2);
    in.skip(old ? (name + 7) / 8 * 8 : name);
    in.skip(4 * (old ? (values + 1) / 2 * 2 : values));
  }
}

void group(Cursor& in, NumberSizes sizes) { in.skip(2 * sizes.address); }

void driver(Cursor& in, NumberSizes) {
  in.skip(9);
  in.skip(in.number(2));
}

// It lies with another object. That can also be the file's table of shared messages, where nobody
// looks before the library does.
void shared(Cursor& in, NumberSizes sizes) {
  const auto version = in.number(1), kind = in.number(1);
  constexpr std::uint64_t in_table = 1;
  if (version >= 3 && kind == in_table) return in.fail();
  if (version == 1) in.skip(6 + sizes.length);
  in.skip(sizes.address);
}

struct Check {
  std::uint64_t type;
  void (*check)(Cursor& in, NumberSizes sizes);
};
constexpr Check checks[] = {
    {message::dataspace, dataspace},
    {message::datatype, datatype},
    {message::old_fill_value, old_fill_value},
    {message::fill_value, fill_value},
    {message::link, link},
    {message::external_files, external_files},
    {message::layout, layout},
    {message::filters, filters},
    {0x11, group},
    {0x14, driver},
};

}  // namespace

bool holds_what_it_says(std::uint64_t type, std::uint64_t flags, Bytes body, NumberSizes sizes) {
  const auto* const found = std::ranges::find(checks, type, &Check::type);
  if (found == std::end(checks)) return true;
  const bool elsewhere = (flags & message::shared_flag) != 0;
  if (elsewhere && type != message::datatype) return false;  // only types can have a name
  Cursor in(body);
  (elsewhere ? shared : found->check)(in, sizes);
  return in.ok();
}

std::uint64_t bytes_of_fill_value(std::uint64_t type, Bytes body) {
  Cursor in(body);
  return type == message::old_fill_value ? size_of_old_fill_value(in) : size_of_fill_value(in);
}

std::uint64_t bytes_of_type(Bytes body) {
  Cursor in(body);
  in.skip(4);
  return in.number(4);
}

std::uint64_t address_of_shared(Bytes body, NumberSizes sizes) {
  Cursor in(body);
  const auto version = in.number(1);
  in.skip(1);
  if (version == 1) in.skip(6 + sizes.length);
  return in.number(sizes.address);
}

}  // namespace tamis::hdf5
