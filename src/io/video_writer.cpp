// Video files, by FFmpeg: MPEG-4 in .mp4 and Motion JPEG in .avi, which everything plays; FFV1,
// without loss, in .mkv.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <opencv2/imgproc.hpp>
#include <opencv2/videoio.hpp>

#include "io/byte_file.hpp"
#include "io/formats.hpp"
#include "io/part_file.hpp"
#include "io/picture.hpp"
#include "io/quiet_thread.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

constexpr double usual_frame_rate = 25;

int codec_of(const std::string& path) {
  if (has_ending(path, {".mp4"})) return cv::VideoWriter::fourcc('m', 'p', '4', 'v');
  if (has_ending(path, {".avi"})) return cv::VideoWriter::fourcc('M', 'J', 'P', 'G');
  return cv::VideoWriter::fourcc('F', 'F', 'V', '1');
}

// Videos have 8 bits.
SampleFormat video_format(SampleFormat format) {
  if (format.type != ElementType::u16) return format;
  format.type = ElementType::u8;
  format.unit *= unit_of(ElementType::u8) / unit_of(ElementType::u16);
  return format;
}

int even(Index n) { return int(n + n % 2); }

template <class T>
class VideoFileWriter final : public Writer<T> {
 public:
  VideoFileWriter(const std::string& path, const WriterOptions& options)
      : target_(path, options.force, true),
        format_(video_format(options.format)),
        around_zero_(options.around_zero) {
    require_images(path, format_);
    video_.thread.run([&] { open(); });
  }

  void write(ConstMatrixRef<T> X, const Rows& rows) override {
    for (Index j = 0; j < X.cols(); ++j)
      if (rows[j] != written_ + j)
        throw SettingsError(
            target_.path() +
            ": the frames of a video can only be written in their order: write to a .npy "
            "file or a folder of images");
    video_.thread.run([&] {
      for (Index j = 0; j < X.cols(); ++j) put(to_picture<T>(X.col(j), format_, around_zero_));
    });
    written_ += X.cols();
  }

  std::string state() override { return {}; }
  void resume(const std::string&) override {
    throw SettingsError(
        target_.path() +
        ": a video that was begun cannot be continued: a stopped run can go on only with a "
        ".npy file or a folder of images");
  }

  void finish() override {
    if (written_ == 0) throw FileError(target_.path() + ": no frames for a video");
    video_.thread.run([&] {
      video_.file.release();
      check();
    });
    target_.publish();
  }

 private:
  void open() {
    const double rate = format_.frame_rate > 0 ? format_.frame_rate : usual_frame_rate;
    // Codecs store colour for two by two pixels.
    const cv::Size size(even(format_.shape[1]), even(format_.shape[0]));
    const std::string path = std::filesystem::absolute(target_.part()).string();
    try {
      video_.file.open(path, cv::CAP_FFMPEG, codec_of(path), rate, size, true);
    } catch (const cv::Exception&) {
      video_.file.release();
    }
    if (!video_.file.isOpened())
      throw FileError(
          fmt::format("{}: a video of {}x{} at {:g} frames per second cannot be written there",
                      target_.path(), size.width, size.height, rate));
  }

  void put(cv::Mat picture) {
    if (picture.channels() == 1) cv::cvtColor(picture, picture, cv::COLOR_GRAY2BGR);
    cv::copyMakeBorder(picture, picture, 0, picture.rows % 2, 0, picture.cols % 2,
                       cv::BORDER_REPLICATE);
    video_.file.write(picture);
  }

  // Writing reports no errors, for instance of a full disk. But then it is still full, or the file
  // is not whole.
  void check() {
    {
      constexpr std::array<std::byte, 1 << 16> more{};
      ByteFile file(target_.part(), ByteFile::Mode::change);
      const Index size = file.size();
      file.write(more, size);
      file.resize(size);
    }
    cv::VideoCapture again(std::filesystem::absolute(target_.part()).string(), cv::CAP_FFMPEG);
    const double frames = again.isOpened() ? again.get(cv::CAP_PROP_FRAME_COUNT) : 0;
    if (frames < double(written_) * 0.99 - 1)
      throw FileError(target_.path() + ": could not be written completely: is the disk full?");
  }

  PartFile target_;
  SampleFormat format_;
  bool around_zero_;
  QuietVideo<cv::VideoWriter> video_;
  Index written_ = 0;
};

}  // namespace

bool names_video_output(const std::string& path) {
  return has_ending(path, {".mp4", ".avi", ".mkv"});
}

template <class T>
std::unique_ptr<Writer<T>> create_video(const std::string& path, const WriterOptions& options) {
  return std::make_unique<VideoFileWriter<T>>(path, options);
}

template std::unique_ptr<Writer<float>> create_video(const std::string&, const WriterOptions&);
template std::unique_ptr<Writer<double>> create_video(const std::string&, const WriterOptions&);

}  // namespace tamis
