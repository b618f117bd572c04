#include "io/hdf5/external.hpp"

namespace tamis::hdf5 {
namespace {

std::vector<std::byte> names_in(std::uint64_t heap, Place place, const Read& more) {
  const auto [address, length] = place.sizes;
  const std::vector<std::byte> header = more(heap, 8 + 2 * length + address);
  if (!begins_with(header, "HEAP")) return {};
  Cursor in(header);
  in.skip(8);
  const auto bytes = in.number(length);
  in.skip(length);
  return more(place.base + in.number(address), bytes);
}

}  // namespace

bool sound_external(Bytes files, Place place, const Read& more) {
  Cursor in(files);
  in.skip(6);
  const auto count = in.number(2);
  const auto names = names_in(place.base + in.number(place.sizes.address), place, more);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto name = in.number(place.sizes.length);
    in.skip(2 * place.sizes.length);
    if (!in.ok() || name >= names.size()) return false;
    constexpr std::size_t empty = 1;  // only the zero behind it
    if (Cursor(Bytes(names).subspan(name)).text().size() <= empty) return false;
  }
  return in.ok();
}

}  // namespace tamis::hdf5
