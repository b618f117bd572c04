#include "tamis/generate/swimmer.hpp"

#include <array>

#include "generate/draw.hpp"
#include "generate/require.hpp"

namespace tamis {
namespace {

constexpr Index limb_count = 4;
constexpr Index position_count = 4;
constexpr Index figure_count = 256;
constexpr Index torso_top = 10;
constexpr Index torso_length = 12;
constexpr Index torso_column = 16;
constexpr Index limb_length = 6;

struct Step {
  Index down;
  Index outward;
};
// Arms point up, sideways, down in four directions; legs are their mirror image. An arm straight
// down would meet a leg straight up, so that direction is left out.
constexpr std::array<Step, position_count> arm_steps{{{-1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

// Limb: 0 left arm, 1 right arm, 2 left leg, 3 right leg.
template <class T>
void draw_limb(VectorRef<T> image, Index width, Index limb, Index position) {
  const bool right = limb % 2 == 1;
  const bool leg = limb >= 2;
  const Step step = arm_steps[std::size_t(position)];
  const Index outward = right ? 1 : -1;
  const Index joint_row = leg ? torso_top + torso_length - 1 : torso_top;
  // One column beside the torso, so that a limb straight up or down is not in line with the other.
  const Index joint_column = torso_column + outward;
  for (Index i = 1; i <= limb_length; ++i) {
    const Index row = joint_row + (leg ? -1 : 1) * step.down * i;
    const Index column = joint_column + outward * step.outward * i;
    image[row * width + column] = T(1);
  }
}

}  // namespace

template <class T>
Swimmer<T> swimmer() {
  Swimmer<T> data;
  const Index pixels = data.height * data.width;
  for (Index i = 0; i < torso_length; ++i)
    data.torso.push_back((torso_top + i) * data.width + torso_column);

  data.limbs.setZero(pixels, limb_count * position_count);
  for (Index limb = 0; limb < limb_count; ++limb)
    for (Index position = 0; position < position_count; ++position)
      draw_limb<T>(data.limbs.col(position_count * limb + position), data.width, limb, position);

  data.images.setZero(pixels, figure_count);
  for (Index n = 0; n < figure_count; ++n) {
    for (const Index pixel : data.torso) data.images(pixel, n) = T(1);
    Index rest = n;
    for (Index limb = 0; limb < limb_count; ++limb, rest /= position_count)
      data.images.col(n) += data.limbs.col(position_count * limb + rest % position_count);
  }
  return data;
}

template <class T>
Matrix<T> replicate(ConstMatrixRef<T> V, Index copies, std::uint64_t seed) {
  require(copies >= 1, "copies", copies, "at least 1");
  const Permutation order = data_order(V.cols() * copies, seed, DataPart::shuffle);
  Matrix<T> result(V.rows(), V.cols() * copies);
  for (Index j = 0; j < result.cols(); ++j) result.col(j) = V.col(order(j) % V.cols());
  return result;
}

template Swimmer<float> swimmer();
template Swimmer<double> swimmer();
template Matrix<float> replicate(ConstMatrixRef<float>, Index, std::uint64_t);
template Matrix<double> replicate(ConstMatrixRef<double>, Index, std::uint64_t);

}  // namespace tamis
