#include "tamis/image/patches.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tamis/error.hpp"

namespace tamis {
namespace {

// 0, stride, 2·stride, … and the last place that fits
std::vector<Index> places(Index length, Index patch, Index stride) {
  std::vector<Index> found;
  for (Index at = 0; at + patch < length; at += stride) found.push_back(at);
  found.push_back(length - patch);
  return found;
}

}  // namespace

PatchGrid::PatchGrid(const PictureSize& size, Index patch, Index stride) : size_(size) {
  if (std::min({size.height, size.width, size.channels}) < 1)
    throw DataError(
        fmt::format("a picture of {}x{} pixels has nothing in it", size.width, size.height));
  if (stride < 1 || stride > patch)
    throw SettingsError(
        fmt::format("patches of {} pixels every {}: the stride must be from 1 to the patch's size, "
                    "or pixels are left out",
                    patch, stride));
  height_ = std::min(patch, size.height);
  width_ = std::min(patch, size.width);
  rows_ = places(size.height, height_, stride);
  columns_ = places(size.width, width_, stride);
}

template <class Use>
void PatchGrid::for_each_run(Index number, Use&& use) const {
  const auto across = Index(columns_.size());
  const Index top = rows_[std::size_t(number / across)];
  const Index left = columns_[std::size_t(number % across)];
  const Index length = width_ * size_.channels;
  for (Index row = 0; row < height_; ++row)
    use(((top + row) * size_.width + left) * size_.channels, row * length, length);
}

template <class T>
void PatchGrid::extract(ConstVectorRef<T> picture, const std::vector<Index>& numbers,
                        MatrixRef<T> V) const {
  for (Index j = 0; j < V.cols(); ++j)
    for_each_run(numbers[std::size_t(j)], [&](Index from, Index to, Index length) {
      V.col(j).segment(to, length) = picture.segment(from, length);
    });
}

template <class T>
void PatchGrid::extract(ConstVectorRef<T> picture, Index first, MatrixRef<T> V) const {
  for (Index j = 0; j < V.cols(); ++j)
    for_each_run(first + j, [&](Index from, Index to, Index length) {
      V.col(j).segment(to, length) = picture.segment(from, length);
    });
}

template <class T>
void PatchGrid::add(ConstMatrixRef<T> P, Index first, ConstVectorRef<T> weights, VectorRef<T> sum,
                    VectorRef<T> total) const {
  for (Index j = 0; j < P.cols(); ++j)
    for_each_run(first + j, [&](Index to, Index from, Index length) {
      sum.segment(to, length) += weights[j] * P.col(j).segment(from, length);
      total.segment(to, length).array() += weights[j];
    });
}

#define TAMIS_INSTANTIATE(T)                                                                   \
  template void PatchGrid::extract(ConstVectorRef<T>, const std::vector<Index>&, MatrixRef<T>) \
      const;                                                                                   \
  template void PatchGrid::extract(ConstVectorRef<T>, Index, MatrixRef<T>) const;              \
  template void PatchGrid::add(ConstMatrixRef<T>, Index, ConstVectorRef<T>, VectorRef<T>,      \
                               VectorRef<T>) const;
TAMIS_INSTANTIATE(float)
TAMIS_INSTANTIATE(double)
#undef TAMIS_INSTANTIATE

}  // namespace tamis
