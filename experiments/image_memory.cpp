#include "experiments/image_memory.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>

namespace tamis::experiments {

void keep_evenly(Images& images, Index n) {
  const Index all = images.V.cols();
  if (n >= all) return;
  for (Index i = 0; i < n; ++i) {
    images.V.col(i) = images.V.col(i * all / n).eval();
    images.names[std::size_t(i)] = images.names[std::size_t(i * all / n)];
  }
  images.V.conservativeResize(Eigen::NoChange, n);
  images.names.resize(std::size_t(n));
}

void shrink(Images& images, Index most_pixels) {
  const Index height = images.shape[0];
  const Index width = images.shape[1];
  Index factor = 1;
  while ((height / factor) * (width / factor) > most_pixels) ++factor;
  if (factor == 1) return;
  const std::vector<Index> shape = {height / factor, width / factor};
  Matrix<float> smaller(shape[0] * shape[1], images.V.cols());
  for (Index j = 0; j < images.V.cols(); ++j) {
    const cv::Mat large = as_picture(images.V.col(j).data(), images.shape);
    cv::Mat small = as_picture(smaller.col(j).data(), shape);
    cv::resize(large, small, small.size(), 0, 0, cv::INTER_AREA);
  }
  images.V = std::move(smaller);
  images.shape = shape;
}

void scale_to_unit_maximum(Matrix<float>& V) {
  for (Index j = 0; j < V.cols(); ++j)
    if (const float largest = V.col(j).maxCoeff(); largest > 0) V.col(j) /= largest;
}

Index ImageMemory::read(MatrixRef<float> V) {
  const Index n = std::min(V.cols(), images_.V.cols() - next_);
  if (n <= 0) return 0;
  V.leftCols(n) = images_.V.middleCols(next_, n);
  next_ += n;
  return n;
}

}  // namespace tamis::experiments
