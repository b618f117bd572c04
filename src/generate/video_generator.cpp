#include "generate/video_generator.hpp"

#include "generate/options.hpp"
#include "generate/shape.hpp"

namespace tamis {
namespace {

const StreetOptions& checked(const VideoOptions& options) {
  check_options(options);
  return options.street;
}

constexpr double frames_per_second = 25;

}  // namespace

template <class T>
VideoGenerator<T>::VideoGenerator(const VideoOptions& options)
    : street_(checked(options)),
      format_{.shape = {options.street.height, options.street.width},
              .type = element_type<T>(),
              .frame_rate = frames_per_second} {}

template <class T>
void VideoGenerator<T>::make(Index first, Index n, Generated<T>& out) {
  resize_samples(out, street_.pixels(), n);
  out.mask.resize(street_.pixels(), n);
  for (Index j = 0; j < n; ++j) {
    const StreetFrame<T> frame = street_.template frame<T>(first + j);
    out.V.col(j) = frame.V;
    out.clean.col(j) = frame.background;
    out.mask.col(j) = frame.mask;
    out.outliers.col(j) = (frame.V - frame.background).cwiseProduct(frame.mask);
  }
}

template class VideoGenerator<float>;
template class VideoGenerator<double>;

}  // namespace tamis
