#include "io/hdf5/types.hpp"

#include <bit>

namespace tamis::hdf5 {
namespace {

// Types in types; the library goes as deep as a file says.
constexpr int deepest_type = 32;

// With a zero at its end, in old files filled up to a multiple of 8
void name_of_member(Cursor& in, bool filled_up) {
  const std::uint64_t bytes = in.text().size();
  if (filled_up) in.skip((8 - bytes % 8) % 8);
}

// Of an entry's bits, those that are used: the library copies them wherever they are said to be.
// Returns where they end.
std::uint64_t used_bits(Cursor& in, std::uint64_t size) {
  const auto first = in.number(2), count = in.number(2);
  if (count == 0 || first + count > 8 * size) in.fail();
  return first + count;
}

void real_number(Cursor& in, std::uint64_t flags, std::uint64_t size) {
  const auto end = used_bits(in, size);
  const auto sign = flags >> 8 & 0xff;
  const auto exponent = in.number(1), exponent_bits = in.number(1);
  const auto mantissa = in.number(1), mantissa_bits = in.number(1);
  in.skip(4);
  const bool inside = sign < end && exponent + exponent_bits <= end &&
                      mantissa + mantissa_bits <= end && exponent_bits > 0 && mantissa_bits > 0;
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

}  // namespace

void skip_type(Cursor& in) { datatype_size(in, 0); }

}  // namespace tamis::hdf5
