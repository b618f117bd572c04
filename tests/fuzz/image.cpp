// Image files: gray, in colour, and as photographs.
#include <opencv2/core.hpp>

#include "fuzz/samples.hpp"
#include "io/photo_file.hpp"

FUZZ(image) {
  using namespace tamis;
  using namespace tamis::fuzz;
  // The contents decide, not the name.
  const std::string path = folder().write("x.png", bytes);
  accepted([&] {
    const Matrix<double> V = check_samples<double>(path);
    require(V.cols() <= 1, "a file is one sample");
  });
  accepted([&] { check_samples<float>(path, {.color = true}); });
  accepted([&] {
    const OpenOptions small{.resize = ImageSize{3, 2}};
    require(check_samples<float>(path, small).rows() == 6, "resized as asked for");
  });
  accepted([&] {
    QuietThread quiet;
    const Photo photo = read_photo(path, quiet);
    check_format(photo.format);
    require(photo.format.image(), "a photograph is an image");
    require(photo.pixels.size() == photo.format.features(), "of all its pixels");
    require(photo.pixels.minCoeff() >= 0 && photo.pixels.maxCoeff() <= 1,
            "between black and white");
    const cv::Mat picture = photo_picture(photo, photo.pixels);
    require(picture.rows == photo.format.shape[0] && picture.cols == photo.format.shape[1],
            "… and becomes a picture of its size again");
  });
}
