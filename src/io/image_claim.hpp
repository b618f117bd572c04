// What the first bytes of an image file say about it, read before any library sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tamis {

struct ImageClaim {
  std::uint64_t width = 0, height = 0;  // 0: not found where it should be
  std::uint64_t most_per_byte = 0;      // pixels that a byte of such a file can stand for, at most

  // Can a file of so many bytes hold that? Small images may be as empty as they like.
  bool possible(std::size_t bytes) const;
};

// Nothing if it is not one of the kinds that are read: the libraries know more, some of which name
// other files and addresses.
std::optional<ImageClaim> claim_of_image(std::span<const unsigned char> bytes);

// The number after blanks and comments in the header of a PGM or PPM; takes it away.
std::optional<int> next_number(std::string_view& text);

}  // namespace tamis
