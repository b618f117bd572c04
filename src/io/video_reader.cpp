// Video files, by FFmpeg. Frames come one after the other: containers give their number only
// approximately, and seeking lands on key frames. Also cameras and streams, which have no end.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <opencv2/imgproc.hpp>
#include <opencv2/videoio.hpp>
#include <span>
#include <utility>
#include <vector>

#include "io/byte_file.hpp"
#include "io/formats.hpp"
#include "io/picture.hpp"
#include "io/quiet_thread.hpp"
#include "io/signature.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

bool is_camera(const std::string& input) { return input.starts_with("/dev/video"); }

void require_video(const std::string& path) {
  const ByteFile file(path, ByteFile::Mode::read);
  std::vector<unsigned char> first(std::min(std::size_t(file.size()), enough_first_bytes));
  if (first.empty()) throw FileError(path + ": an empty file, not a video");
  file.read(std::as_writable_bytes(std::span(first)), 0);
  if (!begins_like_video(first))
    throw FileError(path +
                    ": no frame of it can be decoded: it does not begin like a video (MP4, "
                    "QuickTime, AVI, Matroska, WebM, WMV or MPEG)");
}

template <class T>
class VideoReader final : public Reader<T> {
 public:
  VideoReader(const std::string& path, OpenOptions options)
      : path_(path), live_(names_stream(path)), options_(std::move(options)) {
    if (!live_) require_video(path);
    video_.thread.run([&] {
      open();
      if (!next_frame()) no_frame();
      format_ = format_of(frame_);
      const double rate = video_.file.get(cv::CAP_PROP_FPS);
      format_.frame_rate = std::isfinite(rate) && rate > 0 ? rate : 0;
    });
  }

  const SampleFormat& format() const override { return format_; }
  std::optional<Index> samples() const override { return std::nullopt; }
  Access access() const override { return live_ ? Access::once : Access::restart; }
  void seek(Index) override {
    if (next_ == 0) return;
    video_.thread.run([&] {
      open();
      if (!next_frame()) throw FileError(path_ + ": cannot be read a second time");
    });
    next_ = 0;
  }

  Index read(MatrixRef<T> V) override {
    return read_frames(V.cols(), [&](Index n) { to_sample<T>(frame_, format_.unit, V.col(n)); });
  }
  bool stores_bytes() const override { return frame_.depth() == CV_8U; }
  Index read_bytes(MatrixRef<std::uint8_t> V) override {
    return read_frames(V.cols(), [&](Index n) { to_sample<std::uint8_t>(frame_, 1, V.col(n)); });
  }

 private:
  // take(n) for the next frames, n = 0, 1, …
  template <class Take>
  Index read_frames(Index wanted, const Take& take) {
    Index n = 0;
    video_.thread.run([&] {
      // The first frame is there from the beginning, to know its size.
      for (; n < wanted && (next_ == 0 || next_frame()); ++n, ++next_) {
        // OpenCV 4.6 itself does not notice; later versions may.
        if (frame_.rows != format_.shape[0] || frame_.cols != format_.shape[1])
          throw FileError(fmt::format(
              "{}: frame {} has the size {}, the first {}x{}; --resize WxH makes them all the same",
              path_, next_, size_text(frame_), format_.shape[1], format_.shape[0]));
        take(n);
      }
    });
    return n;
  }

  [[noreturn]] void no_frame() const {
    throw FileError(
        path_ + (live_ ? ": no frame comes from it: is it there, and not in use?"
                       : ": no frame of it can be decoded: damaged, cut short, or not a video"));
  }

  void open() {
    try {
      if (live_) {
        video_.file.open(path_, is_camera(path_) ? cv::CAP_V4L2 : cv::CAP_FFMPEG);
        return;
      }
      // An absolute path, because FFmpeg takes what is before a colon for a protocol.
      video_.file.open(std::filesystem::absolute(path_).string(), cv::CAP_FFMPEG);
    } catch (const cv::Exception&) {
      video_.file.release();  // next_frame() finds nothing
    }
  }

  bool next_frame() {
    try {
      cv::Mat decoded;
      if (!video_.file.isOpened() || !video_.file.read(decoded) || decoded.empty()) return false;
      if (options_.color) {
        frame_ = decoded;
      } else {
        cv::cvtColor(decoded, frame_, cv::COLOR_BGR2GRAY);
      }
      resize(frame_, options_.resize);
      return true;
    } catch (const cv::Exception&) {
      return false;
    }
  }

  std::string path_;
  bool live_;
  OpenOptions options_;
  QuietVideo<cv::VideoCapture> video_;
  cv::Mat frame_;
  SampleFormat format_;
  Index next_ = 0;
};

}  // namespace

bool names_video(const std::string& input) {
  return has_ending(input,
                    {".mp4", ".m4v", ".avi", ".mkv", ".mov", ".webm", ".mpg", ".mpeg", ".wmv"});
}

bool names_stream(const std::string& input) {
  constexpr std::array schemes{"rtsp://",  "rtsps://", "rtmp://", "http://",
                               "https://", "udp://",   "tcp://",  "srt://"};
  return is_camera(input) || std::ranges::any_of(schemes, [&](const char* scheme) {
           return input.starts_with(scheme);
         });
}

template <class T>
std::unique_ptr<Reader<T>> open_video(const std::string& path, const OpenOptions& options) {
  return std::make_unique<VideoReader<T>>(path, options);
}

template std::unique_ptr<Reader<float>> open_video(const std::string&, const OpenOptions&);
template std::unique_ptr<Reader<double>> open_video(const std::string&, const OpenOptions&);

}  // namespace tamis
