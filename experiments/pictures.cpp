#include "experiments/pictures.hpp"

#include <cmath>
#include <opencv2/imgcodecs.hpp>

namespace tamis::experiments {
namespace {

constexpr Index small_side = 100;  // images below are enlarged

picture::TileLayout layout_of(const std::vector<Index>& shape, Index columns) {
  picture::TileLayout layout{shape[0], shape[1]};
  layout.columns = columns;
  layout.scale = int(std::max<Index>(1, small_side / std::max(shape[0], shape[1])));
  return layout;
}

}  // namespace

cv::Mat atoms_picture(const Matrix<float>& W, const std::vector<Index>& shape,
                      const std::string& caption) {
  picture::TileLayout layout = layout_of(shape, Index(std::ceil(std::sqrt(double(W.cols())))));
  layout.scale = std::min(layout.scale, 3);
  if (W.minCoeff() >= 0)
    return picture::page({{caption, picture::tiles(picture::unit_maximum(W), layout)}});
  layout.ink = picture::Ink::red_blue;
  Matrix<float> scaled = W;
  for (Index k = 0; k < W.cols(); ++k)
    if (const float top = W.col(k).cwiseAbs().maxCoeff(); top > 0) scaled.col(k) /= top;
  return picture::page({{caption, picture::tiles(scaled, layout)}});
}

cv::Mat column_of_photos(const Matrix<float>& X, const std::vector<Index>& shape) {
  // Tiles are drawn as ink on paper, 1 being dark.
  return picture::tiles(1 - X.array(), layout_of(shape, 1));
}

cv::Mat column_of_differences(const Matrix<float>& X, const std::vector<Index>& shape) {
  picture::TileLayout layout = layout_of(shape, 1);
  layout.ink = picture::Ink::red_blue;
  return picture::tiles(X, layout);
}

std::string save_picture(const std::filesystem::path& folder, const std::string& name,
                         const cv::Mat& image) {
  std::string file = "pictures/" + name + ".png";
  picture::save(folder / file, image);
  return file;
}

std::string side_by_side(const Runs& runs, const std::filesystem::path& folder,
                         const Filter& filter, const std::string& picture_name,
                         std::vector<picture::Panel> first, const std::string& file_name) {
  for (const Json* run : runs.where(filter)) {
    const Json& pictures = (*run)["pictures"];
    if (!pictures.contains(picture_name)) continue;
    const cv::Mat image = cv::imread(folder / pictures[picture_name].get<std::string>());
    if (!image.empty()) first.push_back({(*run)["label"], image});
  }
  return save_picture(folder, file_name, picture::page(first));
}

}  // namespace tamis::experiments
