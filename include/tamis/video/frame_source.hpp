// The frames of a video: a file, a folder or pattern of images, an array of (frames, height,
// width), a generator, a camera or a stream.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tamis/io/reader.hpp"
#include "tamis/video/frame.hpp"

namespace tamis {

class FrameSource {
 public:
  // Throws FileError or DataError.
  explicit FrameSource(std::string input, OpenOptions options = {});

  // Of the first frame. Images may change their size on the way.
  const FrameShape& shape() const { return shape_; }
  double frame_rate() const { return frame_rate_; }        // per second; 0: unknown
  std::optional<Index> frames() const { return frames_; }  // how many, when known
  bool endless() const { return endless_; }                // a camera or a stream
  std::string name(Index frame) const;                     // of an image's file, or nothing

  // The next frame; false at the end. Entries are rounded to bytes.
  bool next(Frame& frame);

 private:
  void open(const std::string& input);

  std::string input_;
  OpenOptions options_;
  std::vector<std::string> images_, names_;  // of a folder or pattern: opened one by one
  std::unique_ptr<Reader<float>> reader_;
  FrameShape shape_;
  double frame_rate_ = 0;
  std::optional<Index> frames_;
  bool endless_ = false;
  Index next_ = 0;
  Matrix<std::uint8_t> bytes_;
  Matrix<float> numbers_;
};

}  // namespace tamis
