#include "io/image_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "io/byte_file.hpp"
#include "io/formats.hpp"
#include "io/image_claim.hpp"
#include "io/picture.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr Index largest_file = Index(1) << 32;

Bytes read_all(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw FileError(path + ": a folder, not an image");
  const ByteFile file(path, ByteFile::Mode::read);
  if (file.size() > largest_file) throw FileError(path + ": too large for an image");
  Bytes bytes(std::size_t(file.size()));
  file.read(std::as_writable_bytes(std::span(bytes)), 0);
  return bytes;
}

[[noreturn]] void refuse(const std::string& path) {
  throw FileError(
      fmt::format("{}: cannot be read as an image: damaged, cut short, too large, or none of {}",
                  path, image_kinds));
}

// Does a JPEG have its end marker? Decoders fill up what is missing with gray, without a word.
bool jpeg_is_complete(const Bytes& bytes) {
  constexpr int end_of_image = 0xD9, start_of_scan = 0xDA;
  const auto is_alone = [](int marker) { return marker == 0x01 || (marker & 0xF8) == 0xD0; };
  bool in_scan = false;
  std::size_t at = 2;
  while (at + 1 < bytes.size()) {
    const int marker = bytes[at + 1];
    if (bytes[at] != 0xFF || marker == 0xFF) {  // data of a scan, filling
      ++at;
    } else if (marker == end_of_image) {
      return true;
    } else if ((in_scan && marker == 0) || is_alone(marker)) {  // an escaped 0xFF, a restart
      at += 2;
    } else {  // a segment, with its length
      if (at + 3 >= bytes.size()) return false;
      in_scan = marker == start_of_scan;
      at += 2 + std::size_t(bytes[at + 2]) * 256 + bytes[at + 3];
    }
  }
  return false;
}

// The value of white: PGM and PPM files may have another than the largest of their depth, and only
// of small numbers written as text does the decoder make that.
double top_of(const Bytes& bytes, const cv::Mat& picture) {
  const double usual = picture.depth() == CV_16U ? 65535 : 255;
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string_view kind = text.substr(0, 2);
  const bool graymap = kind == "P2" || kind == "P3" || kind == "P5" || kind == "P6";
  if (!graymap || (usual == 255 && kind < "P4")) return usual;
  text.remove_prefix(2);
  const auto width = next_number(text), height = next_number(text), top = next_number(text);
  return width && height && top && *top > 0 ? *top : usual;
}

// A damaged header must not make the libraries ask for any amount of memory.
void check_claim(const std::string& path, const Bytes& bytes) {
  const auto claim = claim_of_image(bytes);
  if (!claim) refuse(path);
  if (!claim->possible(bytes.size()))
    throw FileError(fmt::format("{}: claims {}x{} pixels, more than its {} bytes can hold", path,
                                claim->width, claim->height, bytes.size()));
}

bool has_pixels_above(const cv::Mat& picture, double top) {
  if (top >= (picture.depth() == CV_16U ? 65535 : 255)) return false;
  double brightest = 0;
  cv::minMaxLoc(picture.reshape(1), nullptr, &brightest);
  return brightest > top;
}

// Reads and checks; `decoder` makes a picture of the bytes.
template <class Decoder>
DecodedImage decode(const std::string& path, QuietThread& quiet, const Decoder& decoder) {
  Bytes bytes = read_all(path);
  if (bytes.empty()) throw FileError(path + ": an empty file, not an image");
  check_claim(path, bytes);
  const bool jpeg = bytes.size() > 1 && bytes[0] == 0xFF && bytes[1] == 0xD8;
  if (jpeg && !jpeg_is_complete(bytes)) throw FileError(path + ": a JPEG file that was cut short");
  // The decoder wants white space after the last number of a text, too.
  if (bytes[0] == 'P' && bytes[1] <= '3') bytes.push_back('\n');
  cv::Mat picture;
  quiet.run([&] {
    try {
      picture = decoder(bytes);
    } catch (const std::exception&) {  // the largest sizes are refused like this
      picture.release();
    }
  });
  if (picture.empty()) refuse(path);
  if (picture.depth() != CV_8U && picture.depth() != CV_16U)
    throw FileError(path + ": its pixels have neither 8 nor 16 bits");
  const double top = top_of(bytes, picture);
  if (has_pixels_above(picture, top))
    throw FileError(
        fmt::format("{}: has pixels brighter than white, which it says is {}", path, top));
  return {picture, top};
}

// libpng would round down.
cv::Mat gray_of_png(const Bytes& bytes) {
  cv::Mat picture = cv::imdecode(bytes, cv::IMREAD_ANYDEPTH | cv::IMREAD_ANYCOLOR);
  if (picture.channels() == 3) cv::cvtColor(picture, picture, cv::COLOR_BGR2GRAY);
  return picture;
}

// Pictures with alpha are not turned as the camera noted, the same ones without it are: which turn
// that was is found by trying.
cv::Mat turned_like(const cv::Mat& upright, const cv::Mat& with_alpha) {
  cv::Mat turned = with_alpha, colours;
  for (int turn = 0; turn < 8; ++turn) {
    if (turned.size() == upright.size()) {
      cv::cvtColor(turned, colours, cv::COLOR_BGRA2BGR);
      const bool comparable = colours.type() == upright.type();
      if (comparable && cv::norm(colours, upright, cv::NORM_INF) == 0) return turned;
    }
    cv::Mat next;
    if (turn == 3)
      cv::flip(with_alpha, next, 1);
    else
      cv::rotate(turned, next, cv::ROTATE_90_CLOCKWISE);
    turned = next;
  }
  return with_alpha;
}

}  // namespace

bool is_image_name(std::string_view name) {
  return has_ending(
      name, {".pgm", ".ppm", ".pnm", ".pbm", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp"});
}

DecodedImage read_image(const std::string& path, bool color, QuietThread& quiet) {
  return decode(path, quiet, [&](const Bytes& bytes) {
    const bool png = bytes[0] == 0x89;
    if (png && !color) return gray_of_png(bytes);
    return cv::imdecode(bytes,
                        cv::IMREAD_ANYDEPTH | (color ? cv::IMREAD_COLOR : cv::IMREAD_GRAYSCALE));
  });
}

DecodedImage read_image_as_it_is(const std::string& path, QuietThread& quiet) {
  return decode(path, quiet, [&](const Bytes& bytes) {
    const cv::Mat picture = cv::imdecode(bytes, cv::IMREAD_UNCHANGED);
    const cv::Mat upright = cv::imdecode(bytes, cv::IMREAD_ANYDEPTH | cv::IMREAD_ANYCOLOR);
    return picture.channels() == 4 ? turned_like(upright, picture) : upright;
  });
}

std::string writable_image_name(const std::string& name, const SampleFormat& format) {
  const bool deep = format.type == ElementType::u16;
  const bool color = format.shape.size() == 3;
  if (has_ending(name, {".png", ".tif", ".tiff", color ? ".ppm" : ".pgm"})) return name;
  if (!deep && has_ending(name, {".jpg", ".jpeg", ".bmp"})) return name;
  const bool anymap = has_ending(name, {".pgm", ".ppm", ".pnm"});
  return std::filesystem::path(name)
      .replace_extension(!anymap ? ".png"
                         : color ? ".ppm"
                                 : ".pgm")
      .string();
}

Bytes encode_image(const std::string& path, const cv::Mat& picture, QuietThread& quiet) {
  Bytes bytes;
  bool encoded = false;
  quiet.run([&] {
    try {
      const std::string ending = std::filesystem::path(path).extension().string();
      encoded = cv::imencode(ending, picture, bytes, {cv::IMWRITE_JPEG_QUALITY, 100});
    } catch (const cv::Exception&) {
      encoded = false;
    }
  });
  if (!encoded)
    throw FileError(
        fmt::format("{}: an image of {} cannot be written so", path, size_text(picture)));
  return bytes;
}

}  // namespace tamis
