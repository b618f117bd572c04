// A picture as a set of small overlapping pictures, which are samples like any others.
#pragma once

#include <vector>

#include "tamis/types.hpp"

namespace tamis {

// Entries are pixel by pixel, row by row, the channels of a pixel together.
struct PictureSize {
  Index height = 0;
  Index width = 0;
  Index channels = 1;

  Index entries() const { return height * width * channels; }
  // Of {height, width} or {height, width, channels}
  static PictureSize of(const std::vector<Index>& shape) {
    return {shape[0], shape[1], shape.size() == 3 ? shape[2] : 1};
  }
};

// Where the patches are: every `stride` pixels, and at the far borders, so that all pixels are
// covered. A picture smaller than a patch is one patch.
class PatchGrid {
 public:
  // Throws DataError if there are no pixels, SettingsError unless 1 ≤ stride ≤ patch.
  PatchGrid(const PictureSize& size, Index patch, Index stride);

  Index patches() const { return Index(rows_.size() * columns_.size()); }
  Index features() const { return height_ * width_ * size_.channels; }

  // Patches into the columns of V: those of these numbers, or the consecutive ones from `first`.
  template <class T>
  void extract(ConstVectorRef<T> picture, const std::vector<Index>& numbers, MatrixRef<T> V) const;
  template <class T>
  void extract(ConstVectorRef<T> picture, Index first, MatrixRef<T> V) const;

  // Adds the columns of P, each times its weight, to the sum at their places, and the weights to
  // the total: sum/total is the weighted mean of all patches that have a pixel.
  template <class T>
  void add(ConstMatrixRef<T> P, Index first, ConstVectorRef<T> weights, VectorRef<T> sum,
           VectorRef<T> total) const;

 private:
  // Calls use(entry of the picture, entry of the patch, length) for every run of entries.
  template <class Use>
  void for_each_run(Index number, Use&& use) const;

  PictureSize size_;
  Index height_, width_;               // of a patch, in pixels
  std::vector<Index> rows_, columns_;  // where patches begin
};

}  // namespace tamis
