// Images: a folder of them, one per row, under the names of the samples or numbered; or one file
// for a single row.
#include <fmt/format.h>

#include <filesystem>
#include <unordered_map>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/byte_file.hpp"
#include "io/formats.hpp"
#include "io/image_file.hpp"
#include "io/part_file.hpp"
#include "io/picture.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace fs = std::filesystem;
namespace {

void write_file(const std::string& path, std::span<const unsigned char> bytes) {
  ByteFile(path, ByteFile::Mode::create).write(std::as_bytes(bytes), 0);
}

// A folder is replaced as a whole. One that has anything else in it than images was not made here,
// and what is in it cannot be brought back.
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

template <class T>
class ImageFolderWriter final : public Writer<T> {
 public:
  ImageFolderWriter(const std::string& path, const WriterOptions& options)
      : target_(path, options.force), options_(options) {
    require_images(path, options.format);
    require_replaceable(target_.path());
  }

  void write(ConstMatrixRef<T> X, const Rows& rows) override {
    begin();
    for (Index j = 0; j < X.cols(); ++j) {
      const std::string path = target_.part() + "/" + name_of_row(rows[j]);
      const cv::Mat picture = to_picture<T>(X.col(j), options_.format, options_.around_zero);
      write_file(path, encode_image(path, picture, quiet_));
      written_.push_back(path);
      constexpr std::size_t most_in_mind = 1000;
      if (written_.size() >= most_in_mind) sync();
    }
  }

  std::string state() override {
    begin();
    sync();
    sync_to_disk(target_.part());
    target_.keep();
    return "in the folder";
  }

  void resume(const std::string&) override {
    target_.keep();
    std::error_code ignored;
    if (!fs::is_directory(target_.part(), ignored))
      throw FileError(target_.part() + ": lost what the stopped run had written");
    begun_ = true;
  }

  void finish() override {
    begin();
    sync();
    target_.publish();
  }

 private:
  // Only now, so that a run that fails early leaves nothing; and empty, whatever an earlier run
  // that was killed has left there.
  void begin() {
    if (begun_) return;
    std::error_code problem;
    fs::remove_all(target_.part(), problem);
    fs::create_directory(target_.part(), problem);
    if (problem)
      throw FileError(fmt::format("{}: cannot be written: {}", target_.path(), problem.message()));
    begun_ = true;
  }

  // Not after each file: the disk is much faster when asked for many at once.
  void sync() {
    for (const std::string& path : written_) sync_to_disk(path);
    written_.clear();
  }

  std::string name_of_row(Index row) {
    const fs::path given = options_.name ? options_.name(row) : std::string();
    std::string name = given.filename().string();
    if (given.stem().empty() || name == "..") name = fmt::format("{:06}.png", row);
    name = writable_image_name(name, options_.format);
    const auto [known, added] = row_of_.emplace(name, row);
    if (!added && known->second != row)
      throw FileError(fmt::format("{}: rows {} and {} would both be {} in it", target_.path(),
                                  known->second, row, name));
    return name;
  }

  PartFile target_;
  WriterOptions options_;
  QuietThread quiet_;
  bool begun_ = false;
  std::vector<std::string> written_;  // and perhaps not yet on the disk
  std::unordered_map<std::string, Index> row_of_;
};

template <class T>
class ImageFileWriter final : public Writer<T> {
 public:
  ImageFileWriter(const std::string& path, const WriterOptions& options)
      : target_(path, options.force), options_(options) {
    require_images(path, options.format);
    if (options.rows.value_or(1) != 1) refuse_more();
    const std::string name = writable_image_name(path, options.format);
    if (name != path)
      throw FileError(fmt::format("{}: such a file cannot hold {}; {} can", path,
                                  options.format.shape.size() == 3          ? "colours"
                                  : options.format.type == ElementType::u16 ? "16 bits"
                                                                            : "shades of gray",
                                  fs::path(name).extension().string()));
  }

  void write(ConstMatrixRef<T> X, const Rows& rows) override {
    for (Index j = 0; j < X.cols(); ++j) {
      if (rows[j] != 0) refuse_more();
      const cv::Mat picture = to_picture<T>(X.col(j), options_.format, options_.around_zero);
      write_file(target_.part(), encode_image(target_.path(), picture, quiet_));
    }
  }

  std::string state() override {
    std::error_code ignored;
    if (fs::exists(target_.part(), ignored)) sync_to_disk(target_.part());
    target_.keep();
    return "in the file";
  }
  void resume(const std::string&) override { target_.keep(); }
  void finish() override { target_.publish(); }

 private:
  [[noreturn]] void refuse_more() const {
    throw FileError(target_.path() +
                    ": one image file for several samples; end the name in / for a folder of them");
  }

  PartFile target_;
  WriterOptions options_;
  QuietThread quiet_;
};

}  // namespace

bool names_image_output(const std::string& path) {
  return is_image_name(path) || path.ends_with('/') ||
         (!path.empty() && fs::path(path).extension().empty());
}

template <class T>
std::unique_ptr<Writer<T>> create_images(const std::string& path, const WriterOptions& options) {
  if (is_image_name(path)) return std::make_unique<ImageFileWriter<T>>(path, options);
  return std::make_unique<ImageFolderWriter<T>>(path, options);
}

template std::unique_ptr<Writer<float>> create_images(const std::string&, const WriterOptions&);
template std::unique_ptr<Writer<double>> create_images(const std::string&, const WriterOptions&);

}  // namespace tamis
