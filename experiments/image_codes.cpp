#include "experiments/image_codes.hpp"

namespace tamis::experiments {

std::vector<Index> last_appearances(const Samples& samples, Index images) {
  std::vector<Index> places(std::size_t(images), 0);
  for (std::size_t i = 0; i < samples.origin.size(); ++i)
    places[std::size_t(samples.origin[i])] = Index(i);
  return places;
}

Matrix<float> reconstructions(const Fitted& fitted, const std::vector<Index>& places) {
  Matrix<float> H(fitted.H.rows(), Index(places.size()));
  for (Index i = 0; i < H.cols(); ++i) H.col(i) = fitted.H.col(places[std::size_t(i)]);
  return fitted.model.reconstruct(H);
}

}  // namespace tamis::experiments
