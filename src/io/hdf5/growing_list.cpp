#include "io/hdf5/growing_list.hpp"

namespace tamis::hdf5 {
namespace {

constexpr std::size_t signature = 4, bytes_of_offset = 4;
// In the first block: of entries, of levels whose blocks it refers to, and of all levels
constexpr int first_entries = 4, near_levels = 4, levels = 29;

std::uint64_t blocks_of(int level) { return std::uint64_t(1) << (level / 2); }
std::uint64_t entries_of_block(int level) { return std::uint64_t(16) << ((level + 1) / 2); }

// Large blocks have pages, and a bit for each that was written.
std::uint64_t bytes_of_bits(int level) {
  constexpr std::uint64_t page = 1024;
  const std::uint64_t entries = entries_of_block(level);
  return entries > page ? (entries / page + 7) / 8 : 0;
}

}  // namespace

std::vector<std::byte> GrowingList::block(std::string_view kind, std::uint64_t address,
                                          std::uint64_t bytes_to_read, std::uint64_t bytes) const {
  const std::uint64_t begin = place_.base + address;
  const std::size_t head = signature + 2 + place_.sizes.address;
  std::vector<std::byte> found = more_(begin, head + bytes_to_read);
  if (!begins_with(found, kind)) return {};
  const auto owner = Cursor(Bytes(found).subspan(signature + 2)).number(place_.sizes.address);
  const bool ours = place_.base + owner == at_ && owned_.take(begin, head + bytes, at_);
  return ours ? found : std::vector<std::byte>();
}

bool GrowingList::sound(std::uint64_t first_block) const {
  const std::size_t address = place_.sizes.address;
  if (first_block == nowhere(place_.sizes)) return true;  // nothing was written
  std::uint64_t places = levels - near_levels;
  for (int level = 0; level < near_levels; ++level) places += blocks_of(level);
  const std::uint64_t bytes = first_entries * entry_ + places * address;
  const std::vector<std::byte> first = block("EAIB", first_block, bytes, bytes);
  Cursor in(first);
  in.skip(signature + 2 + address + first_entries * entry_);
  for (int level = 0; level < near_levels; ++level)
    for (std::uint64_t i = 0; i < blocks_of(level) && in.ok(); ++i)
      if (!sound_entries(in.number(address), level)) return false;
  for (int level = near_levels; level < levels && in.ok(); ++level)
    if (!sound_between(in.number(address), level)) return false;
  return in.ok();
}

bool GrowingList::sound_entries(std::uint64_t address, int level) const {
  return address == nowhere(place_.sizes) ||
         !block("EADB", address, 0, entries_of_block(level) * entry_).empty();
}

bool GrowingList::sound_between(std::uint64_t address, int level) const {
  if (address == nowhere(place_.sizes)) return true;
  const std::uint64_t before = bytes_of_offset + blocks_of(level) * bytes_of_bits(level);
  const std::uint64_t bytes = before + blocks_of(level) * place_.sizes.address;
  const std::vector<std::byte> found = block("EASB", address, bytes, bytes);
  Cursor in(found);
  in.skip(signature + 2 + place_.sizes.address + before);
  for (std::uint64_t i = 0; i < blocks_of(level) && in.ok(); ++i)
    if (!sound_entries(in.number(place_.sizes.address), level)) return false;
  return in.ok();
}

}  // namespace tamis::hdf5
