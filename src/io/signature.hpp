// How videos of the kinds that are read begin.
//
// The libraries go by the contents alone, whatever the name of a file, and know many more kinds
// than are promised: playlists name other files or addresses, which would then be opened. So a file
// is shown to them only if it begins like one of those that are meant. For images: image_claim.hpp.
#pragma once

#include <span>

namespace tamis {

using FirstBytes = std::span<const unsigned char>;
inline constexpr std::size_t enough_first_bytes = 400;

// MP4 and QuickTime, AVI, Matroska and WebM, ASF (WMV), or MPEG
bool begins_like_video(FirstBytes bytes);

}  // namespace tamis
