#include "tamis/evaluate/mask.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tamis/error.hpp"

namespace tamis {
namespace {

enum Label { background = 0, shadow = 50, outside = 85, unknown = 170, foreground = 255 };

double ratio(Index part, Index whole) { return whole == 0 ? 1 : double(part) / double(whole); }

}  // namespace

template <class T>
void MaskCount::add(ConstMatrixRef<T> labels, ConstMatrixRef<T> mask) {
  if (labels.rows() != mask.rows() || labels.cols() != mask.cols())
    throw DataError(fmt::format("{} labels of {} pixels and {} masks of {} cannot be compared",
                                labels.cols(), labels.rows(), mask.cols(), mask.rows()));
  for (Index j = 0; j < labels.cols(); ++j)
    for (Index i = 0; i < labels.rows(); ++i) {
      const double label = 255 * double(labels(i, j));
      const bool reported = mask(i, j) > T(0.5);
      switch (std::abs(label) < 256 ? std::lround(label) : -1) {
        case background:
        case shadow:
          ++(reported ? fp : tn);
          break;
        case foreground:
          ++(reported ? tp : fn);
          break;
        case outside:
        case unknown:
          ++ignored;
          break;
        default:
          throw DataError(
              fmt::format("a label is {:.4g}; known are 0 and 50 (background), 255 (foreground), "
                          "85 and 170 (not counted)",
                          label));
      }
    }
}

MaskScore MaskCount::score() const {
  if (counted() == 0) throw DataError("no pixel of the truth is background or foreground");
  MaskScore score;
  score.precision = ratio(tp, tp + fp);
  score.recall = ratio(tp, tp + fn);
  const double sum = score.precision + score.recall;
  score.f = sum > 0 ? 2 * score.precision * score.recall / sum : 0;
  score.pbc = 100 * double(fn + fp) / double(counted());
  return score;
}

template void MaskCount::add(ConstMatrixRef<float>, ConstMatrixRef<float>);
template void MaskCount::add(ConstMatrixRef<double>, ConstMatrixRef<double>);

}  // namespace tamis
