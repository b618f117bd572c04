// tamis demo: what the program is for, shown on data it makes itself.

#include "demo.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <memory>

#include "commands.hpp"
#include "io/atomic_file.hpp"
#include "picture.hpp"
#include "tamis/error.hpp"

namespace tamis {

DemoFolder::DemoFolder(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error)
    throw FileError(fmt::format("cannot make the folder {}: {}", path_.string(), error.message()));
}

void DemoFolder::save(const std::string& name, const cv::Mat& image, const std::string& meaning) {
  picture::save(path_ / name, image);
  pictures_.emplace_back(name, meaning);
}

void DemoFolder::finish() const {
  std::string text = "What to look at:\n";
  for (const auto& [name, meaning] : pictures_) text += fmt::format("  {:<20}{}\n", name, meaning);
  fmt::print("\nPictures are in {}. {}", path_.string(), text);
  write_atomically((path_ / "README.txt").string(), [&](const std::string& temporary) {
    std::ofstream file(temporary);
    file << "Made by tamis demo, from data that it generated itself. " << text;
    if (!file.flush()) throw FileError(path_.string() + "/README.txt: cannot be written");
  });
}

void add_demo(CLI::App& app) {
  CLI::App* command = app.add_subcommand("demo", "Show what this is for, on embedded data");
  command->footer("Example:\n  tamis demo");
  const auto out = std::make_shared<std::string>("demo");
  command->add_option("--out", *out, "Folder for the pictures; an existing one is reused")
      ->type_name("DIR")
      ->capture_default_str();
  command->callback([out] {
    const auto start = std::chrono::steady_clock::now();
    DemoFolder folder(*out);
    show_parts(folder);
    show_scene(folder);
    folder.finish();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    fmt::print("\nAll done in {:.1f} s.\n", seconds.count());
  });
}

}  // namespace tamis
