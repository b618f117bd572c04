#include "video/scene.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tamis {
namespace {

constexpr Index entries_per_task = 16384;
constexpr float noise_step = 0.1f;  // gray levels per frame
constexpr float still_within = 4;   // gray levels

}  // namespace

Scene::Scene(const SceneSettings& settings)
    : settings_(settings),
      executor_(settings.threads),
      low_rank_(settings_, executor_),
      masks_(settings_, executor_) {}

void Scene::start(std::span<const Frame> frames) {
  shape_ = frames.front().shape;
  frames_ = 0;
  const WarmUp warm = settle(frames);
  masks_.start(shape_);
  ghosts_.start(shape_);
  const auto F = std::size_t(shape_.entries());
  residual_.assign(F, 0);
  change_.assign(warm.change.data(), warm.change.data() + F);
  slow_.assign(warm.median.data(), warm.median.data() + F);
  still_.assign(F, 0);
  mask_ = Frame({shape_.height, shape_.width, 1});
  background_ = shown_ = Frame(shape_);
  jump_.assign(F, 0);
  since_learning_ = 0;
  if (gray()) return;
  covered_.assign(F, 0);
  evidence_.assign(F, 0);
}

// The low-rank model from frames that agree with each other
WarmUp Scene::settle(std::span<const Frame> frames) {
  WarmUp warm = warm_up(frames, executor_);
  steady_.stop();
  if (settings_.steady) {
    Frame median(shape_);
    std::ranges::transform(warm.median, median.data.begin(),
                           [](float v) { return std::uint8_t(v); });
    const std::vector<Frame> held = steady_.start(frames, median);
    if (steady_.active()) {
      warm = warm_up(held, executor_);
      std::ranges::transform(warm.median, median.data.begin(),
                             [](float v) { return std::uint8_t(v); });
      steady_.refer_to(median);
      low_rank_.start(held, warm);
      return warm;
    }
  }
  low_rank_.start(frames, warm);
  return warm;
}

bool Scene::process(const Frame& frame) {
  const Frame& held = look(frame);
  if (is_other_scene()) return false;
  judge(held);
  return true;
}

void Scene::process_known(const Frame& frame) { judge(look(frame)); }

// The frame as it is judged
const Frame& Scene::look(const Frame& frame) {
  executor_.wake();
  if (steady_.active()) steady_.hold(frame, held_);
  const Frame& held = steady_.active() ? held_ : frame;
  low_rank_.encode(held);
  examine(held);
  return held;
}

void Scene::judge(const Frame& frame) {
  make_mask(frame);
  if (!gray()) pixels::three_times(0, shape_.pixels(), mask_.data.data(), covered_.data());
  show(frame);
  learn(frame);
  ++frames_;
  if (!steady_.active()) return;
  steady_.put_back(mask_, false, seen_mask_);
  steady_.put_back(shown_, true, seen_background_);
}

bool Scene::differ(const Frame& one, const Frame& next, const SceneSettings& settings) {
  if (settings.cut >= 1) return false;
  const double before = std::reduce(one.data.begin(), one.data.end(), 0.0);
  const double after = std::reduce(next.data.begin(), next.data.end(), 0.0);
  const auto light = float(before > 0 ? after / before : 1);
  const auto threshold = float(settings.threshold);
  Index different = 0;
  for (std::size_t i = 0; i < one.data.size(); ++i)
    different += std::abs(float(one.data[i]) * light - float(next.data[i])) > threshold ? 1 : 0;
  return double(different) > settings.cut * double(one.data.size());
}

void Scene::examine(const Frame& frame) {
  const pixels::Rule rule{.threshold = float(settings_.threshold),
                          .noise_factor = float(settings_.noise_factor),
                          .noise_step = frames_ == 0 ? 0 : noise_step,
                          .still_within = still_within};
  const pixels::State state{residual_.data(), change_.data(), slow_.data(), still_.data()};
  const Matrix<float>& W = low_rank_.W();
  std::uint8_t* const evidence = gray() ? masks_.evidence() : evidence_.data();
  executor_.for_each_block(
      shape_.entries(), entries_per_task * shape_.channels, [&](Index begin, Index end, int) {
        pixels::examine(begin, end, W.data(), W.rows(), low_rank_.codes().data(), W.cols(),
                        frame.data.data(), covered(), rule, state, background_.data.data(),
                        evidence);
        if (gray()) return;
        pixels::largest_of_three(begin / 3, end / 3, evidence, masks_.evidence());
      });
}

// A new view differs nearly everywhere, and no code makes up for it.
bool Scene::is_other_scene() const {
  if (settings_.cut >= 1) return false;
  const std::uint8_t* const evidence = masks_.evidence();
  const auto unit = std::uint8_t(pixels::evidence_unit);
  const Index different =
      std::count_if(evidence, evidence + shape_.pixels(), [&](std::uint8_t x) { return x > unit; });
  return double(different) > settings_.cut * double(shape_.pixels());
}

void Scene::make_mask(const Frame& frame) {
  if (settings_.mask_rule == MaskRule::outlier) return mark_outliers();
  masks_.make(frame, background_, change_.data(), mask_);
}

// |r| > 0, that is |e| > λ
void Scene::mark_outliers() {
  const auto lambda = float(low_rank_.lambda());
  const Index C = shape_.channels;
  for (Index i = 0; i < shape_.pixels(); ++i) {
    const bool any = std::any_of(residual_.begin() + i * C, residual_.begin() + (i + 1) * C,
                                 [&](float e) { return std::abs(e) > lambda; });
    mask_.data[std::size_t(i)] = any ? 255 : 0;
  }
}

void Scene::learn(const Frame& frame) {
  if (frames_ % settings_.learn_every == 0) {
    float* const y = low_rank_.next_sample();
    const auto most = float(low_rank_.lambda());
    const auto most_foreground = std::min(most, float(settings_.absorb * low_rank_.sigma()));
    executor_.for_each_block(shape_.entries(), entries_per_task, [&](Index begin, Index end, int) {
      pixels::clean(begin, end, frame.data.data(), residual_.data(), covered(), most,
                    most_foreground, y);
    });
  }
  if (!low_rank_.ready()) return;
  remove_ghosts();
  low_rank_.learn();
  since_learning_ = 0;
  const Matrix<float>& W = low_rank_.W();
  executor_.for_each_block(shape_.entries(), entries_per_task, [&](Index begin, Index end, int) {
    pixels::jump(begin, end, W.data(), W.rows(), low_rank_.codes().data(), W.cols(),
                 frame.data.data(), residual_.data(), jump_.data());
  });
}

// What a mini-batch changes at once would be seen to pulse: it comes in equal parts with the frames
// of the next one. Masks are made from the background as it is.
void Scene::show(const Frame& frame) {
  const Index period = settings_.batch_size * settings_.learn_every;
  ++since_learning_;
  const float share = std::max(0.f, 1 - float(since_learning_) / float(period));
  executor_.for_each_block(shape_.entries(), entries_per_task, [&](Index begin, Index end, int) {
    pixels::soften(begin, end, frame.data.data(), residual_.data(), jump_.data(), share,
                   shown_.data.data());
  });
}

void Scene::remove_ghosts() {
  if (settings_.ghost_frames == 0) return;
  const std::vector<Index>& ghosts =
      ghosts_.find(still_.data(), int(settings_.ghost_frames), slow_.data(), background_, mask_);
  if (ghosts.empty()) return;
  std::vector<Index> entries;
  std::vector<float> values;
  for (const Index pixel : ghosts) {
    for (Index c = 0; c < shape_.channels; ++c) {
      const Index i = pixel * shape_.channels + c;
      entries.push_back(i);
      values.push_back(slow_[std::size_t(i)]);
      still_[std::size_t(i)] = 0;
    }
  }
  low_rank_.correct(entries, values);
}

}  // namespace tamis
