// One image file.
#pragma once

#include <opencv2/core.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "io/quiet_thread.hpp"
#include "tamis/io/sample_format.hpp"

namespace tamis {

// Of a name: is it that of an image that can be read?
bool is_image_name(std::string_view name);
// How messages list what can be read
inline constexpr std::string_view image_kinds = "PGM, PNG, JPEG, TIFF, BMP";

struct DecodedImage {
  cv::Mat picture;  // gray or blue-green-red, 8 or 16 bits
  double top;       // the value of white
};

// Throws FileError if it is damaged, cut short, absurdly large or no image at all. Damage inside
// the data of a JPEG that leaves its structure intact goes unnoticed: the format has no checksums.
DecodedImage read_image(const std::string& path, bool color, QuietThread& quiet);
// The same, gray or coloured as it is; with its alpha, if it has any, as a fourth channel.
DecodedImage read_image_as_it_is(const std::string& path, QuietThread& quiet);

// The name, with another ending if files of its kind cannot be written or cannot hold such images.
std::string writable_image_name(const std::string& name, const SampleFormat& format);

// The bytes of a file whose format is that of the name's ending.
std::vector<unsigned char> encode_image(const std::string& path, const cv::Mat& picture,
                                        QuietThread& quiet);

}  // namespace tamis
