// Files for what belongs to samples: codes, outliers, cleaned samples.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common.hpp"
#include "tamis/io/reader_source.hpp"
#include "tamis/io/writer.hpp"
#include "tamis/settings.hpp"

namespace tamis {

// check_outputs, and what standard output and files that can only be appended to cannot do.
void check_writable(const std::vector<std::string>& paths, bool shuffled, const Common& common);

// Can a stopped run go on with this output? Of no output, it can.
bool can_be_resumed(const std::string& path);

class Outputs {
 public:
  // The source must outlive the writers, which ask it for the names of samples.
  template <class T>
  Outputs(const ReaderSource<T>& source, Index rank, bool force);
  // For samples that come from elsewhere
  Outputs(WriterOptions samples, Index rank) : options_(std::move(samples)), rank_(rank) {}

  // Writers, or null for an empty path. Values return to the units of the input.
  template <class T>
  std::unique_ptr<Writer<T>> codes(const std::string& path) const;
  template <class T>
  std::unique_ptr<Writer<T>> outliers(const std::string& path) const;
  // Samples as they came: the same shape, and the same type of entries
  template <class T>
  std::unique_ptr<Writer<T>> samples(const std::string& path) const;
  // 0 or 255
  template <class T>
  std::unique_ptr<Writer<T>> masks(const std::string& path) const;
  // One row per atom
  template <class T>
  std::unique_ptr<Writer<T>> dictionary(const std::string& path) const;

  // The pass whose codes are wanted
  static Index last_epoch(const Settings& settings);

 private:
  WriterOptions options_;  // of samples
  Index rank_;
};

}  // namespace tamis
