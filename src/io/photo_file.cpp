#include "io/photo_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <opencv2/imgproc.hpp>
#include <set>

#include "io/formats.hpp"
#include "io/image_file.hpp"
#include "io/image_folder.hpp"
#include "io/picture.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

bool all_gray(const cv::Mat& picture) {
  std::vector<cv::Mat> channels;
  cv::split(picture, channels);
  return cv::countNonZero(channels[0] != channels[1]) == 0 &&
         cv::countNonZero(channels[0] != channels[2]) == 0;
}

// As the ending of the name, if such files can hold this picture
std::string name_for(const std::string& name, const cv::Mat& picture) {
  const SampleFormat format = format_of(picture);
  if (picture.channels() == 4 && !has_ending(name, {".png", ".tif", ".tiff"}))
    return std::filesystem::path(name).replace_extension(".png").string();
  return writable_image_name(name, format);
}

class PhotoFolder final : public PhotoOutput {
 public:
  PhotoFolder(const std::string& path, bool force) : folder_(path, force) {}

  void write(const std::string& name, const cv::Mat& picture) override {
    const std::string own = name_for(std::filesystem::path(name).filename().string(), picture);
    if (!names_.insert(own).second)
      throw FileError(fmt::format("{}: two images would both be {} in it", folder_.path(), own));
    folder_.write(own, picture);
  }
  void finish() override { folder_.publish(); }

 private:
  ImageFolder folder_;
  std::set<std::string> names_;
};

class PhotoFile final : public PhotoOutput {
 public:
  PhotoFile(const std::string& path, bool force) : target_(path, force) {}

  void write(const std::string&, const cv::Mat& picture) override {
    if (written_)
      throw FileError(target_.path() +
                      ": one image file for several images; end the name in / for "
                      "a folder of them");
    const std::string name = name_for(target_.path(), picture);
    if (name != target_.path())
      throw FileError(fmt::format("{}: such a file cannot hold {}; {} can", target_.path(),
                                  picture.channels() == 4     ? "alpha"
                                  : picture.depth() == CV_16U ? "16 bits"
                                  : picture.channels() == 3   ? "colours"
                                                              : "shades of gray",
                                  std::filesystem::path(name).extension().string()));
    write_image(target_.part(), target_.path(), picture, quiet_);
    written_ = true;
  }
  void finish() override { target_.publish(); }

 private:
  PartFile target_;
  QuietThread quiet_;
  bool written_ = false;
};

}  // namespace

Photo read_photo(const std::string& path, QuietThread& quiet) {
  DecodedImage image = read_image_as_it_is(path, quiet);
  Photo photo;
  if (image.picture.channels() == 4) {
    cv::extractChannel(image.picture, photo.alpha, 3);
    cv::Mat colours;
    cv::cvtColor(image.picture, colours, cv::COLOR_BGRA2BGR);
    image.picture = colours;
  }
  photo.gray_in_colours = image.picture.channels() == 3 && all_gray(image.picture);
  if (photo.gray_in_colours) {
    cv::Mat gray;
    cv::extractChannel(image.picture, gray, 0);
    image.picture = gray;
  }
  photo.format = format_of(image.picture);
  photo.pixels.resize(photo.format.features());
  to_sample<float>(image.picture, image.top, photo.pixels);
  return photo;
}

cv::Mat photo_picture(const Photo& photo, const ConstVectorRef<float>& pixels) {
  cv::Mat picture = to_picture<float>(pixels, photo.format, false);
  if (photo.alpha.empty() && !photo.gray_in_colours) return picture;
  if (picture.channels() == 1) {
    cv::Mat colours;
    cv::cvtColor(picture, colours, cv::COLOR_GRAY2BGR);
    picture = colours;
  }
  if (photo.alpha.empty()) return picture;
  cv::Mat with_alpha;
  cv::cvtColor(picture, with_alpha, cv::COLOR_BGR2BGRA);
  cv::insertChannel(photo.alpha, with_alpha, 3);
  return with_alpha;
}

std::unique_ptr<PhotoOutput> create_photos(const std::string& path, bool force) {
  if (is_image_name(path)) return std::make_unique<PhotoFile>(path, force);
  return std::make_unique<PhotoFolder>(path, force);
}

}  // namespace tamis
