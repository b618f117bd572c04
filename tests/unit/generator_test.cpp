// Streams of generated data: every sample on its own, and the same as all at once.
#include "tamis/generate/generator.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "tamis/error.hpp"
#include "tamis/io/matrix_source.hpp"
#include "tamis/io/reader_source.hpp"

namespace tamis {
namespace {

template <class T>
class Generators : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Generators, Scalars);

// Blocks of all sizes, the last ones first, put together to one.
template <class T>
Generated<T> made_in_pieces(Generator<T>& generator) {
  Generated<T> whole, piece;
  const Index F = generator.format().features(), N = generator.samples();
  whole.V.resize(F, N);
  whole.clean.resize(F, N);
  whole.outliers.resize(F, N);
  whole.codes.resize(generator.rank(), N);
  Index size = 1;
  for (Index end = N; end > 0; ++size) {
    const Index n = std::min(size, end);
    end -= n;
    generator.make(end, n, piece);
    whole.V.middleCols(end, n) = piece.V;
    whole.clean.middleCols(end, n) = piece.clean;
    whole.outliers.middleCols(end, n) = piece.outliers;
    if (generator.rank() > 0) whole.codes.middleCols(end, n) = piece.codes;
  }
  return whole;
}

TYPED_TEST(Generators, SyntheticIsTheSameInPieces) {
  using T = TypeParam;
  const SyntheticOptions options{.F = 37, .K = 5, .N = 211, .nu = 0.6, .nu_tilde = 0.2, .seed = 9};
  const Planted<T> whole = synthetic<T>(options);
  const auto generator = make_generator<T>(options);
  EXPECT_EQ(generator->samples(), 211);
  EXPECT_EQ(generator->rank(), 5);
  EXPECT_EQ(generator->format().shape, std::vector<Index>{37});
  const Generated<T> pieces = made_in_pieces(*generator);
  EXPECT_EQ(pieces.V, whole.V);
  EXPECT_EQ(pieces.clean, whole.clean);
  EXPECT_EQ(pieces.outliers, whole.R);
  EXPECT_EQ(pieces.codes, whole.H);
  EXPECT_EQ(generator->dictionary(), whole.W);
}

TYPED_TEST(Generators, SwimmerIsTheSameInPiecesAsReplicatedAndCorrupted) {
  using T = TypeParam;
  const SwimmerOptions options{.copies = 2, .contrast = 0.3, .nu = 0.5, .seed = 4};
  const Swimmer<T> figures = swimmer<T>();
  const Matrix<T> clean = T(0.3) * replicate<T>(figures.images, 2, 4);
  const auto [V, R] = corrupt<T>(
      clean,
      {.nu = 0.5, .nu_tilde = 0.2, .noise = 0.02, .kind = OutlierKind::salt_and_pepper, .seed = 4});
  const auto generator = make_generator<T>(options);
  EXPECT_EQ(generator->format().shape, (std::vector<Index>{32, 32}));
  const Generated<T> pieces = made_in_pieces(*generator);
  EXPECT_EQ(pieces.clean, clean);
  EXPECT_EQ(pieces.V, V);
  EXPECT_EQ(pieces.outliers, R);

  EXPECT_EQ(generator->dictionary(), figures.limbs);
  Matrix<T> rest = clean - figures.limbs * pieces.codes;  // the torso of every figure
  for (const Index pixel : figures.torso) {
    EXPECT_NEAR(rest.row(pixel).minCoeff(), 0.3, 1e-6);
    rest.row(pixel).setZero();
  }
  EXPECT_LE(rest.cwiseAbs().maxCoeff(), 1e-6);
}

TYPED_TEST(Generators, CorruptIsTheSameInPieces) {
  using T = TypeParam;
  const Matrix<T> clean = synthetic<T>({.F = 23, .K = 3, .N = 90}).clean;
  const CorruptOptions options{.nu = 0.7, .nu_tilde = 0.3, .noise = 0.1, .seed = 11};
  const auto [V, R] = corrupt<T>(clean, options);
  const auto generator = make_corrupt_generator<T>(std::make_unique<MatrixSource<T>>(clean), Pass{},
                                                   NormalizeNone{}, options);
  const Generated<T> pieces = made_in_pieces(*generator);
  EXPECT_EQ(pieces.clean, clean);
  EXPECT_EQ(pieces.V, V);
  EXPECT_EQ(pieces.outliers, R);
  EXPECT_EQ(generator->rank(), 0);
  Generated<T> again;
  generator->make(0, 90, again);
  EXPECT_EQ(again.V, V);
}

TYPED_TEST(Generators, VideoIsTheStreet) {
  using T = TypeParam;
  const VideoOptions options{{.height = 20, .width = 30, .frames = 40, .seed = 6}};
  const auto generator = make_generator<T>(options);
  EXPECT_EQ(generator->samples(), 40);
  EXPECT_EQ(generator->format().shape, (std::vector<Index>{20, 30}));
  EXPECT_TRUE(generator->has_mask());
  const Generated<T> pieces = made_in_pieces(*generator);
  Generated<T> out;
  generator->make(0, 40, out);
  EXPECT_EQ(pieces.V, out.V);
  const Street street(options.street);
  for (Index i = 0; i < 40; ++i) {
    const StreetFrame<T> frame = street.frame<T>(i);
    EXPECT_EQ(out.V.col(i), frame.V);
    EXPECT_EQ(out.clean.col(i), frame.background);
    EXPECT_EQ(out.mask.col(i), frame.mask);
  }
  EXPECT_GT(out.mask.sum(), T(0));
  EXPECT_EQ((out.outliers.array() != T(0) && out.mask.array() == T(0)).count(), 0);
  EXPECT_LT((out.V - out.clean - out.outliers).cwiseAbs().maxCoeff(), T(0.2));  // noise only
  EXPECT_THROW(make_generator<T>(VideoOptions{{.height = 3}}), SettingsError);
  EXPECT_THROW(make_generator<T>(SwimmerOptions{.copies = Index(1) << 60}), SettingsError);
}

TEST(CorruptGenerator, ScalesThenReplicatesThenShufflesThenContaminates) {
  Matrix<double> raw = 100 * synthetic<double>({.F = 10, .K = 2, .N = 6}).clean;
  raw.col(3).setZero();  // its maximum cannot become 1
  const Index copies = 5;
  Matrix<double> expected(10, 30);
  for (Index j = 0; j < 30; ++j) {
    const auto v = raw.col(j % 6);
    expected.col(j) = v.maxCoeff() > 0 ? (v / v.maxCoeff()).eval() : v.eval();
  }
  class MatrixReader final : public Reader<double> {
   public:
    explicit MatrixReader(const Matrix<double>& V) : V_(V) { format_.shape = {V.rows()}; }
    const SampleFormat& format() const override { return format_; }
    std::optional<Index> samples() const override { return V_.cols(); }
    Access access() const override { return Access::random; }
    void seek(Index sample) override { next_ = sample; }
    Index read(MatrixRef<double> V) override {
      const Index n = std::min(V.cols(), V_.cols() - next_);
      V.leftCols(n) = V_.middleCols(next_, n);
      next_ += n;
      return n;
    }

   private:
    Matrix<double> V_;
    SampleFormat format_;
    Index next_ = 0;
  };
  StreamOptions stream;
  stream.repeat = copies;
  const Pass pass{.shuffle = true, .seed = 8};
  const CorruptOptions options{.nu = 0.5, .nu_tilde = 0.4, .seed = 2};
  const auto source = [&] {
    return std::make_unique<ReaderSource<double>>(std::make_unique<MatrixReader>(raw), stream);
  };
  Matrix<double> shuffled(10, 30);
  SampleBlock<double> block;
  const auto reference = source();
  reference->start(pass);
  ASSERT_TRUE(reference->read(30, block));
  for (Index j = 0; j < 30; ++j) shuffled.col(j) = expected.col(block.order[std::size_t(j)]);
  ASSERT_NE(shuffled, expected);

  const auto generator = make_corrupt_generator<double>(source(), pass, NormalizeMax{}, options);
  ASSERT_EQ(generator->samples(), 30);
  const Generated<double> made = made_in_pieces(*generator);
  EXPECT_EQ(made.clean, shuffled);
  EXPECT_EQ(made.V, corrupt<double>(shuffled, options).V);
}

TEST(CorruptGenerator, RefusesWhatItCannotContaminate) {
  const Matrix<float> raw = Matrix<float>::Constant(4, 3, 7);
  const auto generator = make_corrupt_generator<float>(std::make_unique<MatrixSource<float>>(raw),
                                                       Pass{}, NormalizeNone{}, {});
  Generated<float> out;
  EXPECT_THROW(generator->make(0, 3, out), DataError);
  EXPECT_THROW(make_corrupt_generator<float>(std::make_unique<MatrixSource<float>>(raw), Pass{},
                                             NormalizeNone{}, {.nu = -1}),
               SettingsError);
}

TEST(SyntheticGenerator, StreamsTenMillionSamplesFromAnywhere) {
  SyntheticOptions options{.F = 20, .K = 3, .N = 10'000'000, .nu = 0.7, .noise = 0};
  const auto generator = make_generator<float>(options);
  Generated<float> far, again;
  generator->make(9'999'990, 10, far);
  generator->make(9'999'995, 1, again);
  EXPECT_EQ(far.V.col(5), again.V.col(0));

  Index spoiled = 0;
  constexpr Index looked_at = 20'000;
  for (Index k = 0; k < looked_at; ++k) {
    generator->make(k * 499, 1, again);
    spoiled += (again.outliers.array() != 0).any();
  }
  EXPECT_NEAR(double(spoiled) / looked_at, 0.7, 0.015);  // 4.6 standard deviations
}

TEST(Contamination, ChoosesExactlyAsManyColumnsAsAskedFor) {
  for (const Index N : {1, 2, 3, 7, 10, 100, 1001})
    for (const double nu : {0.0, 0.1, 0.29, 0.5, 0.7, 0.9, 1.0}) {
      const Matrix<float> clean = Matrix<float>::Constant(10, N, 0.5f);
      const Matrix<float> R = corrupt<float>(clean, {.nu = nu, .nu_tilde = 0.3, .seed = 3}).R;
      const Index chosen = (R.array() != 0.f).colwise().any().count();
      EXPECT_EQ(chosen, Index(std::floor(nu * double(N) + 1e-9))) << nu << " of " << N;
      EXPECT_EQ((R.array() != 0.f).count(), 3 * chosen);
    }
}

TEST(Contamination, ChoosesEveryColumnAsOften) {
  const Index N = 10, seeds = 4000;
  const Matrix<float> clean = Matrix<float>::Constant(3, N, 0.5f);
  Vector<double> chosen = Vector<double>::Zero(N);
  for (Index seed = 0; seed < seeds; ++seed) {
    const Matrix<float> R =
        corrupt<float>(clean, {.nu = 0.3, .nu_tilde = 0.4, .seed = std::uint64_t(seed)}).R;
    for (Index j = 0; j < N; ++j) chosen[j] += (R.col(j).array() != 0.f).any();
  }
  EXPECT_EQ(chosen.sum(), 3.0 * double(seeds));
  EXPECT_LT((chosen.array() - 1200).abs().maxCoeff(), 130);  // 4.5 standard deviations
}

}  // namespace
}  // namespace tamis
