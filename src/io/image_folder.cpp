#include "io/image_folder.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "io/atomic_file.hpp"
#include "io/byte_file.hpp"
#include "io/image_file.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace fs = std::filesystem;
namespace {

void require_replaceable(const std::string& folder) {
  std::error_code problem;
  const fs::file_status status = fs::symlink_status(folder, problem);
  if (!fs::exists(status)) return;
  const std::string name = fs::path(folder).filename().string();
  if (!fs::is_directory(status) || name.empty() || name == "." || name == "..")
    throw FileError(folder + ": will not be replaced by a folder of images");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem))
    if (!entry.is_regular_file(problem) || !is_image_name(entry.path().filename().string()))
      throw FileError(
          fmt::format("{}: has other things than images in it ({}), so it will not be "
                      "replaced; remove it or choose another name",
                      folder, entry.path().filename().string()));
}

}  // namespace

void write_image(const std::string& path, const std::string& name, const cv::Mat& picture,
                 QuietThread& quiet) {
  const std::vector<unsigned char> bytes = encode_image(name, picture, quiet);
  ByteFile(path, ByteFile::Mode::create).write(std::as_bytes(std::span(bytes)), 0);
}

ImageFolder::ImageFolder(const std::string& path, bool force) : target_(path, force) {
  require_replaceable(target_.path());
}

// Only with the first image, so that a run that fails early leaves nothing; and empty, whatever an
// earlier run that was killed has left there.
void ImageFolder::begin() {
  if (begun_) return;
  std::error_code problem;
  fs::remove_all(target_.part(), problem);
  fs::create_directory(target_.part(), problem);
  if (problem)
    throw FileError(fmt::format("{}: cannot be written: {}", target_.path(), problem.message()));
  begun_ = true;
}

void ImageFolder::write(const std::string& name, const cv::Mat& picture) {
  begin();
  const std::string path = target_.part() + "/" + name;
  write_image(path, path, picture, quiet_);
  written_.push_back(path);
  constexpr std::size_t most_in_mind = 1000;
  if (written_.size() >= most_in_mind) sync();
}

// Not after each file: the disk is much faster when asked for many at once.
void ImageFolder::sync() {
  for (const std::string& path : written_) sync_to_disk(path);
  written_.clear();
}

void ImageFolder::keep() {
  begin();
  sync();
  sync_to_disk(target_.part());
  target_.keep();
}

void ImageFolder::find_kept() {
  target_.keep();
  std::error_code ignored;
  if (!fs::is_directory(target_.part(), ignored))
    throw FileError(target_.part() + ": lost what the stopped run had written");
  begun_ = true;
}

void ImageFolder::publish() {
  begin();
  sync();
  target_.publish();
}

}  // namespace tamis
