// Pictures as the image and video libraries have them (rows of pixels, blue first), to and from
// samples (divided by their unit, red first).
#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <string>

#include "tamis/io/reader.hpp"
#include "tamis/io/sample_format.hpp"
#include "tamis/io/writer.hpp"
#include "tamis/types.hpp"

namespace tamis {

// Smaller by averaging, larger by interpolation.
void resize(cv::Mat& picture, const std::optional<ImageSize>& size);

// {height, width} or {height, width, 3}, 8 or 16 bits.
SampleFormat format_of(const cv::Mat& picture);
std::string size_text(const cv::Mat& picture);  // "640x480", as --resize takes it

// Entries are divided by top, the value of white.
template <class T>
void to_sample(const cv::Mat& picture, double top, VectorRef<T> v);

// Values are multiplied by the format's unit if its type is an integer's, otherwise 1 is white;
// then rounded and clipped. around_zero: half of them is added to middle gray. The picture has 16
// bits if that is the format's type, otherwise 8.
template <class T>
cv::Mat to_picture(const ConstVectorRef<T>& v, const SampleFormat& format, bool around_zero);

// Rows that will be written to `path` are images; throws FileError otherwise.
void require_images(const std::string& path, const SampleFormat& format);

}  // namespace tamis
