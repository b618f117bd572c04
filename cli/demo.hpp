// The parts of the demo, each in a file of its own.
#pragma once

#include <filesystem>
#include <opencv2/core.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tamis {

// Where the demo leaves its pictures, and what they show.
class DemoFolder {
 public:
  explicit DemoFolder(std::filesystem::path path);  // made if need be; throws FileError

  void save(const std::string& name, const cv::Mat& image, const std::string& meaning);
  // README.txt, with what to look at; also printed
  void finish() const;

 private:
  std::filesystem::path path_;
  std::vector<std::pair<std::string, std::string>> pictures_;
};

void show_parts(DemoFolder& folder);
void show_scene(DemoFolder& folder);

}  // namespace tamis
