// Images: a folder of them, one per row, under the names of the samples or numbered; or one file
// for a single row.
#include <fmt/format.h>

#include <filesystem>
#include <unordered_map>

#include "io/atomic_file.hpp"
#include "io/formats.hpp"
#include "io/image_file.hpp"
#include "io/image_folder.hpp"
#include "io/part_file.hpp"
#include "io/picture.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace fs = std::filesystem;
namespace {

template <class T>
class ImageFolderWriter final : public Writer<T> {
 public:
  ImageFolderWriter(const std::string& path, const WriterOptions& options)
      : folder_(path, options.force), options_(options) {
    require_images(path, options.format);
  }

  void write(ConstMatrixRef<T> X, const Rows& rows) override {
    for (Index j = 0; j < X.cols(); ++j)
      folder_.write(name_of_row(rows[j]),
                    to_picture<T>(X.col(j), options_.format, options_.around_zero));
  }

  std::string state() override {
    folder_.keep();
    return "in the folder";
  }
  void resume(const std::string&) override { folder_.find_kept(); }
  void finish() override { folder_.publish(); }

 private:
  std::string name_of_row(Index row) {
    const fs::path given = options_.name ? options_.name(row) : std::string();
    std::string name = given.filename().string();
    if (given.stem().empty() || name == "..") name = fmt::format("{:06}.png", row);
    name = writable_image_name(name, options_.format);
    const auto [known, added] = row_of_.emplace(name, row);
    if (!added && known->second != row)
      throw FileError(fmt::format("{}: rows {} and {} would both be {} in it", folder_.path(),
                                  known->second, row, name));
    return name;
  }

  ImageFolder folder_;
  WriterOptions options_;
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
      write_image(target_.part(), target_.path(), picture, quiet_);
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
