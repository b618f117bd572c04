// How files of the kinds that are read begin.
//
// The image and video libraries go by the contents alone, whatever the name of a file, and know
// many more kinds than are promised: some are passed on through a file of a name that others can
// take meanwhile, some (playlists) name other files or addresses, which would then be opened. So a
// file is shown to them only if it begins like one of those that are meant.
#pragma once

#include <span>

namespace tamis {

using FirstBytes = std::span<const unsigned char>;
inline constexpr std::size_t enough_first_bytes = 400;

// PNG, JPEG, TIFF, BMP, or a PBM, PGM or PPM
bool begins_like_image(FirstBytes bytes);

// MP4 and QuickTime, AVI, Matroska and WebM, ASF (WMV), or MPEG
bool begins_like_video(FirstBytes bytes);

}  // namespace tamis
