// Pictures one at a time, from an input to an output. Files of images stay as they are: each of its
// own size and depth, gray or coloured, with its alpha.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "input.hpp"
#include "io/photo_file.hpp"
#include "tamis/image/patches.hpp"
#include "tamis/types.hpp"

namespace tamis {

template <class T>
struct PictureItem {
  SampleFormat format;
  Vector<T> pixels;  // divided by the format's unit
  std::string name;  // of its file, or ""
  Photo photo;       // what else its file holds

  PictureSize size() const { return PictureSize::of(format.shape); }
};

template <class T>
class Pictures {
 public:
  virtual ~Pictures() = default;
  virtual std::optional<Index> count() const = 0;
  virtual bool next(PictureItem<T>& item) = 0;
  // What became of the item, in the order they came
  virtual void write(const PictureItem<T>& item, const Vector<T>& pixels) = 0;
  virtual void finish() = 0;
};

// Throws FileError if the input has no pictures or the output cannot hold them.
template <class T>
std::unique_ptr<Pictures<T>> open_pictures(const InputFlags& input, const std::string& out,
                                           bool force);

// Masks that say which pixels are missing (brighter than middle gray): one for all pictures, or one
// for each.
class MissingMasks {
 public:
  explicit MissingMasks(const std::string& path);
  ~MissingMasks();
  MissingMasks(const MissingMasks&) = delete;
  MissingMasks& operator=(const MissingMasks&) = delete;

  // Throws DataError if there are neither one nor so many.
  void check_count(std::optional<Index> pictures) const;
  // Sets the pixels of the next picture that are missing to NaN. Throws DataError if the sizes
  // differ.
  template <class T>
  void apply(PictureItem<T>& item);

 private:
  struct Files;
  std::string path_;
  std::unique_ptr<Files> files_;
};

}  // namespace tamis
