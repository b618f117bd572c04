// A folder of images while it is being made.
#pragma once

#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "io/part_file.hpp"
#include "io/quiet_thread.hpp"

namespace tamis {

// Appears as a whole with publish(). An existing folder is replaced, with force, only if it has
// nothing but images in it: anything else was not made here and cannot be brought back.
class ImageFolder {
 public:
  ImageFolder(const std::string& path, bool force);

  const std::string& path() const { return target_.path(); }
  // The ending of the name decides the format.
  void write(const std::string& name, const cv::Mat& picture);

  // For runs that are stopped: what was written is on the disk and stays; and is found again.
  void keep();
  void find_kept();

  void publish();

 private:
  void begin();
  void sync();

  PartFile target_;
  QuietThread quiet_;
  bool begun_ = false;
  std::vector<std::string> written_;  // and perhaps not yet on the disk
};

// One image, under this name as it is.
void write_image(const std::string& path, const std::string& name, const cv::Mat& picture,
                 QuietThread& quiet);

}  // namespace tamis
