// Pictures of an experiment, below its folder.
#pragma once

#include <filesystem>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "experiments/runs.hpp"
#include "picture.hpp"
#include "tamis/types.hpp"

namespace tamis::experiments {

// The atoms as tiles, each scaled to its own maximum; negative entries, if there are any, are blue.
cv::Mat atoms_picture(const Matrix<float>& W, const std::vector<Index>& shape,
                      const std::string& caption);

// Photographs: 0 is black and 1 is white; one below the other.
cv::Mat column_of_photos(const Matrix<float>& X, const std::vector<Index>& shape);
// The same of differences: red is positive, blue negative.
cv::Mat column_of_differences(const Matrix<float>& X, const std::vector<Index>& shape);

// Saves it as folder/pictures/NAME.png and returns pictures/NAME.png.
std::string save_picture(const std::filesystem::path& folder, const std::string& name,
                         const cv::Mat& image);

// A page of `first` and, for every run that matches, its picture of this name, each below its
// label.
std::string side_by_side(const Runs& runs, const std::filesystem::path& folder,
                         const Filter& filter, const std::string& picture_name,
                         std::vector<picture::Panel> first, const std::string& file_name);

}  // namespace tamis::experiments
