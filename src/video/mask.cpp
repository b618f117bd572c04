#include "video/mask.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "kernels/clones.hpp"
#include "video/pixels.hpp"
#include "video/shadow.hpp"

namespace tamis {
namespace {

constexpr Index band_rows = 32;
constexpr std::uint8_t yes = 255;

int odd(double width) { return 2 * int(std::lround((width - 1) / 2)) + 1; }

cv::Mat rows(const cv::Mat& picture, Index begin, Index end) {
  return picture.rowRange(int(begin), int(end));
}

std::uint8_t as_byte(double evidence) {
  return std::uint8_t(std::clamp(evidence * double(pixels::evidence_unit), 0.0, double(yes)));
}

TAMIS_CLONES
void both_above(Index count, const std::uint8_t* averaged, std::uint8_t least,
                const std::uint8_t* own, std::uint8_t least_own, std::uint8_t* mask) {
  for (Index i = 0; i < count; ++i)
    mask[i] = std::uint8_t(averaged[i] > least && own[i] > least_own ? yes : 0);
}

}  // namespace

// Areas grow with that of the frame. Widths grow more slowly: objects are larger in a larger frame,
// but noise is not.
MaskSizes::MaskSizes(const SceneSettings& settings, const FrameShape& shape) {
  constexpr double usual = 160.0 * 120.0;
  const double area = std::max(1.0, double(shape.pixels()) / usual);
  const double width = std::sqrt(std::sqrt(area));
  smooth = odd(double(settings.smooth) * width);
  closing = odd(double(settings.closing) * width);
  texture_step = std::max(1, int(std::lround(width)));
  strong_area = settings.strong_area * area;
  blob_area = settings.blob_area * area;
  hole_area = settings.hole_area * area;
}

MaskMaker::MaskMaker(const SceneSettings& settings, const Executor& executor)
    : settings_(settings), executor_(executor), sizes_(settings, {}) {}

void MaskMaker::start(const FrameShape& shape) {
  shape_ = shape;
  sizes_ = MaskSizes(settings_, shape);
  for (cv::Mat* picture : {&own_, &half_, &averaged_, &strong_})
    *picture = cv::Mat::zeros(int(shape.height), int(shape.width), CV_8U);
  bands_.resize(std::size_t((shape.height + band_rows - 1) / band_rows));
  const int r = sizes_.closing / 2;
  padded_ = cv::Mat::zeros(int(shape.height) + 2 * r, int(shape.width) + 2 * r, CV_8U);
  spread_ = padded_.clone();
}

void MaskMaker::make(const Frame& frame, const Frame& background, const float* change,
                     Frame& mask) {
  bands_.assign(bands_.size(), {.wanted = true});
  average();
  mark_candidates(mask.data.data());
  if (remove_shadows(frame, background, change, mask.data.data())) {
    average();
    mark_candidates(mask.data.data());
  }
  cv::threshold(averaged_, strong_, as_byte(settings_.strong_evidence), yes, cv::THRESH_BINARY);
  clean_up(mask, strong_);
}

void MaskMaker::clean_up(Frame& mask, const cv::Mat& strong) {
  if (std::ranges::find(mask.data, yes) == mask.data.end()) return;
  close_gaps(mask);
  drop_blobs(mask, strong);
  fill_holes(mask);
}

template <class Work>
void MaskMaker::for_wanted_bands(const Work& work) {
  executor_.for_each_block(shape_.height, band_rows, [&](Index begin, Index end, int) {
    Band& band = bands_[std::size_t(begin / band_rows)];
    if (band.wanted) work(begin, end, band);
  });
}

// A box twice is nearly a Gaussian. Parts of a picture see their neighbours beyond their edges.
void MaskMaker::average() {
  const cv::Size window(sizes_.smooth, sizes_.smooth);
  const auto blur = [&](const cv::Mat& from, cv::Mat& to) {
    for_wanted_bands([&](Index begin, Index end, Band&) {
      cv::Mat part = rows(to, begin, end);
      cv::blur(rows(from, begin, end), part, window);
    });
  };
  blur(own_, half_);
  blur(half_, averaged_);
}

void MaskMaker::mark_candidates(std::uint8_t* mask) {
  const std::uint8_t least = as_byte(settings_.evidence);
  const std::uint8_t least_own = as_byte(settings_.own_evidence);
  for_wanted_bands([&](Index begin, Index end, Band& band) {
    const Index first = begin * shape_.width, last = end * shape_.width;
    both_above(last - first, averaged_.data + first, least, own_.data + first, least_own,
               mask + first);
    band.candidates = std::find(mask + first, mask + last, yes) != mask + last;
  });
}

// True if there were any; then the bands are wanted that this changes.
bool MaskMaker::remove_shadows(const Frame& frame, const Frame& background, const float* change,
                               const std::uint8_t* mask) {
  const ShadowTest test(settings_, frame, background, change, sizes_.texture_step);
  if (!test.active()) return false;
  for_wanted_bands([&](Index begin, Index end, Band& band) {
    if (!band.candidates) return;
    for (Index row = begin; row < end; ++row) {
      for (Index column = 0; column < shape_.width; ++column) {
        const Index i = row * shape_.width + column;
        if (mask[i] == 0 || !test.is_shadow(row, column)) continue;
        own_.data[i] = 0;
        band.shadows = true;
      }
    }
  });
  // Two averages reach less than a band far.
  bool any = false;
  for (std::size_t b = 0; b < bands_.size(); ++b) {
    bands_[b].wanted = bands_[b].shadows || (b > 0 && bands_[b - 1].shadows) ||
                       (b + 1 < bands_.size() && bands_[b + 1].shadows);
    any = any || bands_[b].shadows;
  }
  return any;
}

// On a margin wide enough that nothing is cut off at the border; only near pixels of the mask.
void MaskMaker::close_gaps(Frame& mask) {
  if (sizes_.closing <= 1) return;
  const int r = sizes_.closing / 2;
  const cv::Mat picture(int(shape_.height), int(shape_.width), CV_8U, mask.data.data());
  const auto empty = [&](Index begin, Index end) {
    const auto at = [&](Index row) {
      return mask.data.begin() + std::clamp<Index>(row, 0, shape_.height) * shape_.width;
    };
    return std::find(at(begin), at(end), yes) == at(end);
  };
  picture.copyTo(padded_(cv::Rect(r, r, picture.cols, picture.rows)));
  const cv::Mat box = cv::getStructuringElement(cv::MORPH_RECT, {sizes_.closing, sizes_.closing});
  executor_.for_each_block(padded_.rows, band_rows, [&](Index begin, Index end, int) {
    cv::Mat part = rows(spread_, begin, end);
    if (empty(begin - 2 * r, end)) {
      part = 0;
    } else {
      cv::dilate(rows(padded_, begin, end), part, box);
    }
  });
  const cv::Mat inside = spread_(cv::Rect(r, r, picture.cols, picture.rows));
  executor_.for_each_block(shape_.height, band_rows, [&](Index begin, Index end, int) {
    cv::Mat part = rows(picture, begin, end);
    if (cv::countNonZero(rows(inside, begin, end)) > 0)
      cv::erode(rows(inside, begin, end), part, box);
  });
}

void MaskMaker::drop_blobs(Frame& mask, const cv::Mat& strong) {
  regions_.find(mask.data.data(), shape_.height, shape_.width, yes, Neighbours::eight);
  std::vector<Index> strength(std::size_t(regions_.count()), 0);
  for (const Regions::Run& run : regions_.runs())
    strength[std::size_t(run.region)] +=
        std::count(strong.data + run.begin, strong.data + run.end, yes);
  for (const Regions::Run& run : regions_.runs()) {
    const auto region = std::size_t(run.region);
    if (double(regions_.areas()[region]) < sizes_.blob_area ||
        double(strength[region]) < sizes_.strong_area)
      std::fill(mask.data.begin() + run.begin, mask.data.begin() + run.end, std::uint8_t(0));
  }
}

void MaskMaker::fill_holes(Frame& mask) {
  regions_.find(mask.data.data(), shape_.height, shape_.width, 0, Neighbours::four);
  for (const Regions::Run& run : regions_.runs())
    if (double(regions_.areas()[std::size_t(run.region)]) < sizes_.hole_area)
      std::fill(mask.data.begin() + run.begin, mask.data.begin() + run.end, yes);
}

}  // namespace tamis
