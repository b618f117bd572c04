#include "io/hdf5/messages.hpp"

#include <algorithm>

#include "io/hdf5/layout.hpp"
#include "io/hdf5/types.hpp"

namespace tamis::hdf5 {
namespace {

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

void datatype(Cursor& in, NumberSizes) { skip_type(in); }

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

// What a link into another file leads to: flags, the file, the object. The library looks for the
// ends of both names, wherever these are.
void external_link(Cursor& in) {
  in.skip(1);
  in.text();
  in.text();
}

// Where the library refuses a link, it frees what it never had: also what it would not understand
// must not reach it.
void link(Cursor& in, NumberSizes sizes) {
  enum Kind : std::uint64_t { hard, soft, external = 64 };  // and more, of other programs
  constexpr std::uint64_t has_kind = 8, has_order = 4, has_encoding = 0x10, all = 0x1f;
  const auto version = in.number(1), flags = in.number(1);
  const auto kind = (flags & has_kind) != 0 ? in.number(1) : hard;
  if ((flags & has_order) != 0) in.skip(8);
  const auto encoding = (flags & has_encoding) != 0 ? in.number(1) : 0;
  const auto name = in.number(std::size_t(1) << (flags & 3));
  in.skip(name);
  const Bytes value = in.take(kind == hard ? sizes.address : in.number(2));
  const bool known = kind == hard || kind == soft || kind >= external;
  if (version != 1 || flags > all || !known || encoding > 1 || name == 0 || value.empty())
    return in.fail();
  if (kind != external) return;
  Cursor place(value);
  external_link(place);
  if (!place.ok()) in.fail();
}

void external_files(Cursor& in, NumberSizes sizes) {
  in.skip(6);
  const auto used = in.number(2);
  in.skip(sizes.address + used * 3 * sizes.length);
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
    Cursor text(in.take(old ? (name + 7) / 8 * 8 : name));
    if (name > 0) text.text();
    if (!text.ok()) in.fail();  // where the name does not end
    in.skip(4 * (old ? (values + 1) / 2 * 2 : values));
  }
}

void group(Cursor& in, NumberSizes sizes) { in.skip(2 * sizes.address); }

void driver(Cursor& in, NumberSizes) {
  in.skip(9);
  in.skip(in.number(2));
}

void group_info(Cursor& in, NumberSizes) {
  constexpr std::uint64_t has_limits = 1, has_estimates = 2;
  in.skip(1);
  const auto flags = in.number(1);
  if ((flags & has_limits) != 0) in.skip(4);
  if ((flags & has_estimates) != 0) in.skip(4);
}

void attribute_info(Cursor& in, NumberSizes sizes) {
  constexpr std::uint64_t has_largest_number = 1, has_order = 2;
  in.skip(1);
  const auto flags = in.number(1);
  if ((flags & has_largest_number) != 0) in.skip(2);
  in.skip(((flags & has_order) != 0 ? 3 : 2) * sizes.address);
}

// Where the free space of a file is, for each kind of block
void file_space(Cursor& in, NumberSizes sizes) {
  constexpr std::uint64_t all_kept = 1, kinds = 6, kinds_and_sizes = 12;
  const auto version = in.number(1), strategy = in.number(1);
  if (version == 0) {
    in.skip(sizes.length);
    if (strategy == all_kept) in.skip(kinds * sizes.address);
    return;
  }
  const bool kept = in.number(1) != 0;
  in.skip(2 * sizes.length + 2 + sizes.address);
  if (kept) in.skip(kinds_and_sizes * sizes.address);
}

void comment(Cursor& in, NumberSizes) { in.text(); }
void old_time(Cursor& in, NumberSizes) { in.skip(16); }
void new_time(Cursor& in, NumberSizes) { in.skip(8); }

// The library has room for so many parts of the table of shared messages.
void shared_table(Cursor& in, NumberSizes sizes) {
  constexpr std::uint64_t most = 8;
  const auto version = in.number(1);
  in.skip(sizes.address);
  const auto parts = in.number(1);
  if (version != 0 || parts == 0 || parts > most) in.fail();
}

void tree_sizes(Cursor& in, NumberSizes) { in.skip(7); }
void references(Cursor& in, NumberSizes) { in.skip(5); }
void refused(Cursor& in, NumberSizes) { in.fail(); }

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
    {message::layout, skip_layout},
    {message::filters, filters},
    {0x0a, group_info},
    {0x0d, comment},
    {0x0e, old_time},
    {0x0f, shared_table},
    {0x11, group},
    {0x12, new_time},
    {0x13, tree_sizes},
    {0x14, driver},
    {0x15, attribute_info},
    {0x16, references},
    {0x17, file_space},
    {message::cache_image, refused},
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
