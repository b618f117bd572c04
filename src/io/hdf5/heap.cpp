#include "io/hdf5/heap.hpp"

#include <algorithm>
#include <bit>

#include "io/hdf5/tree.hpp"

namespace tamis::hdf5 {
namespace {

constexpr std::size_t signature = 4, checksum = 4;
constexpr std::uint64_t width = 4, largest_object = 4096;
// As powers of two
constexpr int width_bits = 2, first_block = 9, largest_block = 16, whole_heap = 32;
constexpr std::size_t bytes_of_offset = 4, bytes_of_length = 2, bytes_of_number = 6;
static_assert(Heap::bytes_of_id == 1 + bytes_of_offset + bytes_of_length);
static_assert(Heap::bytes_of_id == 1 + bytes_of_number);
enum Kind : std::uint64_t { in_a_block = 0, long_object = 0x10 };

}  // namespace

std::size_t Heap::header_bytes(NumberSizes sizes) {
  return signature + 18 + 12 * sizes.length + 3 * sizes.address + checksum;
}

Heap::Heap(Bytes header, std::uint64_t at, Place place) : place_(place), at_(at) {
  const auto [address, length] = place.sizes;
  Cursor in(header);
  in.skip(signature);
  const auto version = in.number(1), id = in.number(2), filters = in.number(2);
  in.skip(1);
  const auto largest = in.number(4);
  in.skip(length);
  tree_ = in.number(address);
  in.skip(9 * length + address);
  const auto columns = in.number(2), first = in.number(length), last = in.number(length);
  const auto whole = in.number(2);
  in.skip(2);
  root_.at = in.number(address);
  root_.rows = in.number(2);
  constexpr std::uint64_t most_rows = whole_heap - first_block - width_bits + 1;
  sound_ = in.ok() && version == 0 && id == bytes_of_id && filters == 0 &&
           largest == largest_object && columns == width &&
           first == std::uint64_t(1) << first_block && last == std::uint64_t(1) << largest_block &&
           whole == whole_heap && root_.rows <= most_rows;
  // Where addresses are short, names of long objects have another form.
  if (has_long_ones() && address + length <= bytes_of_number) sound_ = false;
}

bool Heap::has_long_ones() const { return tree_ != nowhere(place_.sizes); }

bool Heap::is_long(Bytes id) { return Cursor(id).number(1) == long_object; }

bool Heap::find_long_ones(const Read& more, Owned& owned) {
  if (!sound_ || !has_long_ones()) return sound_;
  const std::size_t address = place_.sizes.address, length = place_.sizes.length;
  const Tree tree(more(tree_of_long_ones(), Tree::header_bytes(place_.sizes)), place_);
  constexpr std::uint64_t of_long_objects = 1;
  if (tree.kind() != of_long_objects || tree.record_bytes() != address + 2 * length) return false;
  std::uint64_t all = 0;
  const auto right = [&](Bytes record) {
    Cursor in(record);
    const Long found{.at = place_.base + in.number(address), .bytes = in.number(length)};
    const bool possible = found.bytes > 0 && found.bytes <= ~found.at;
    if (!possible || more(found.at + found.bytes - 1, 1).empty()) return false;
    all += found.bytes;  // the file has all of them: they are not the same bytes again and again
    return !more(all - 1, 1).empty() && long_ones_.emplace(in.number(length), found).second;
  };
  return tree.sound(more, right, owned, tree_of_long_ones());
}

std::vector<std::byte> Heap::long_one(Bytes id, const Read& more) const {
  Cursor in(id);
  in.skip(1);
  const auto found = long_ones_.find(in.number(bytes_of_number));
  if (!in.ok() || found == long_ones_.end()) return {};
  return more(found->second.at, found->second.bytes);
}

std::vector<std::byte> Heap::object(Bytes id, const Read& more) const {
  if (!sound_) return {};
  if (is_long(id)) return long_one(id, more);
  Cursor in(id);
  const auto kind = in.number(1);
  const auto offset = in.number(bytes_of_offset), length = in.number(bytes_of_length);
  if (!in.ok() || kind != in_a_block || length == 0) return {};
  return root_.rows == 0 ? inside(root_.at, 0, first_block, offset, length, more)
                         : below(root_, offset, length, more);
}

// A block says whose it is and of which part. So it is that of one heap, and there in one place.
bool Heap::begins(Bytes block, std::string_view kind, std::uint64_t first) const {
  if (!begins_with(block, kind)) return false;
  Cursor in(block.subspan(signature));
  const auto version = in.number(1), owner = in.number(place_.sizes.address);
  const auto offset = in.number(bytes_of_offset);
  return in.ok() && version == 0 && place_.base + owner == at_ && offset == first;
}

std::vector<std::byte> Heap::inside(std::uint64_t block, std::uint64_t first, int size,
                                    std::uint64_t offset, std::uint64_t length,
                                    const Read& more) const {
  const std::uint64_t bytes = std::uint64_t(1) << size;
  if (offset >= bytes || length > bytes - offset) return {};
  const std::uint64_t begin = place_.base + block;
  const auto head = more(begin, signature + 1 + place_.sizes.address + bytes_of_offset);
  if (!begins(head, "FHDB", first) || more(begin + bytes - 1, 1).empty()) return {};
  return more(begin + offset, length);
}

std::vector<std::byte> Heap::below(Table table, std::uint64_t offset, std::uint64_t length,
                                   const Read& more) const {
  // The first two rows have blocks of the same size, each row after that ones of twice the size.
  const int first_row = first_block + width_bits;
  const int row = std::bit_width(offset >> first_row);
  const int size = first_block + std::max(row - 1, 0);
  const std::uint64_t row_begin = row == 0 ? 0 : std::uint64_t(1) << (first_row + row - 1);
  const std::uint64_t column = (offset - row_begin) >> size;
  if (std::uint64_t(row) >= table.rows) return {};

  const std::size_t head = signature + 1 + place_.sizes.address + bytes_of_offset;
  const auto bytes =
      more(place_.base + table.at, head + table.rows * width * place_.sizes.address + checksum);
  if (!begins(bytes, "FHIB", table.first)) return {};
  Cursor in(bytes);
  in.skip(head + (std::uint64_t(row) * width + column) * place_.sizes.address);
  const auto found = in.number(place_.sizes.address);
  const std::uint64_t inner = offset - row_begin - (column << size);
  const std::uint64_t first = table.first + offset - inner;
  if (size <= largest_block) return inside(found, first, size, inner, length, more);
  return below({.at = found, .rows = std::uint64_t(size - first_row + 1), .first = first}, inner,
               length, more);
}

}  // namespace tamis::hdf5
