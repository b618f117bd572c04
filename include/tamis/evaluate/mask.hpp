// How good is a mask of what moves? The protocol of changedetection.net (CDnet): pixels are counted
// over the whole sequence before anything is divided.
#pragma once

#include "tamis/types.hpp"

namespace tamis {

// Labels of the truth, in 1/255: 0 is background, so is 50 (a shadow); 255 is foreground; 85
// (outside of the region of interest) and 170 (nobody can tell) do not count.
struct MaskScore {
  double precision = 0;  // share of the reported foreground that is true; 1 if none is reported
  double recall = 0;     // share of the true foreground that is reported; 1 if there is none
  double f = 0;          // their harmonic mean
  double pbc = 0;        // percentage of wrong classifications, of all pixels that count
};

struct MaskCount {
  Index tp = 0;  // foreground, reported
  Index fp = 0;  // background, reported
  Index fn = 0;  // foreground, not reported
  Index tn = 0;  // background, not reported
  Index ignored = 0;

  // A pixel is reported where `mask` is above ½. Throws DataError if the shapes differ or a label
  // is none of the five.
  template <class T>
  void add(ConstMatrixRef<T> labels, ConstMatrixRef<T> mask);

  Index counted() const { return tp + fp + fn + tn; }
  // Throws DataError if no pixel counts.
  MaskScore score() const;
};

}  // namespace tamis
