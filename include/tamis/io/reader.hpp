// A file (folder, pipe, generator) of samples, read in sequence. One class per format; what a pass
// needs (shuffling, repeating, limiting) is done for all of them by ReaderSource.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tamis/io/sample_format.hpp"
#include "tamis/types.hpp"

namespace tamis {

enum class Access {
  random,   // any sample can be sought
  restart,  // only the first one, at any time
  once,     // it flows by
};

template <class T>
class Reader {
 public:
  virtual ~Reader() = default;

  virtual const SampleFormat& format() const = 0;
  // Their number, when known in advance.
  virtual std::optional<Index> samples() const = 0;
  virtual Access access() const = 0;

  // Which sample comes next: with random access any up to samples(), otherwise 0 (never called with
  // access `once`). A new reader is at 0.
  virtual void seek(Index sample) = 0;

  // Fills the first columns of V with the next samples and returns how many: fewer than V has only
  // at the end. Entries are divided by format().unit. Throws FileError.
  virtual Index read(MatrixRef<T> V) = 0;

  // Samples that are stored as bytes can also be had as they are, each entry standing for
  // byte/format().unit: read_bytes is then read without the conversion.
  virtual bool stores_bytes() const { return false; }
  // NOLINTNEXTLINE(performance-unnecessary-value-param): as read
  virtual Index read_bytes(MatrixRef<std::uint8_t> /*V*/) { return 0; }

  // See Source::cancel.
  virtual void cancel() {}

  // The name of a sample (of an image's file), or nothing.
  virtual std::string name(Index /*sample*/) const { return {}; }
};

struct ImageSize {
  Index width;
  Index height;
};

struct OpenOptions {
  std::optional<ImageSize> resize = {};  // of images and video frames
  bool color = false;                    // images and video as (height, width, 3), red first
  std::optional<bool> header = {};       // the first line of a text table has names; unset: guess
  // Asked now and then while waiting for a pipe; true: Interrupted is thrown.
  std::function<bool()> interrupted = {};
};

// Opens what `input` names: see docs/formats.md. Throws FileError.
template <class T>
std::unique_ptr<Reader<T>> open_reader(const std::string& input, const OpenOptions& options = {});

}  // namespace tamis
