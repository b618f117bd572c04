// Image files as they are: gray or coloured, with or without alpha, 8 or 16 bits.
#pragma once

#include <memory>
#include <opencv2/core.hpp>
#include <string>

#include "io/quiet_thread.hpp"
#include "tamis/io/sample_format.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct Photo {
  SampleFormat format;   // of the pixels, without alpha
  Vector<float> pixels;  // as a sample: divided by white, red first
  cv::Mat alpha;         // or empty; kept as it is
  bool gray_in_colours;  // stored as colours that are all gray
};

// Throws FileError as read_image does.
Photo read_photo(const std::string& path, QuietThread& quiet);

// Other pixels in the same format, with the same alpha
cv::Mat photo_picture(const Photo& photo, const ConstVectorRef<float>& pixels);

// Where photographs go: a folder, or one file. Nothing appears under the final name before
// finish().
class PhotoOutput {
 public:
  virtual ~PhotoOutput() = default;
  // The name is that of the photograph it was made from; an ending that cannot hold it is replaced.
  virtual void write(const std::string& name, const cv::Mat& picture) = 0;
  virtual void finish() = 0;
};

// `path` as names_image_output() accepts it.
std::unique_ptr<PhotoOutput> create_photos(const std::string& path, bool force);

}  // namespace tamis
