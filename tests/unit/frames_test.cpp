// Samples as large as video frames: tasks are rows and not samples, bytes stay bytes, and the codes
// of one frame are where the next begins.
#include <gtest/gtest.h>

#include <fstream>

#include "algorithm/fast.hpp"
#include "encoder/row_tasks.hpp"
#include "prepare.hpp"
#include "support/kit.hpp"
#include "support/scene.hpp"
#include "support/temporary_folder.hpp"
#include "tamis/io/prefetch.hpp"
#include "tamis/io/reader_source.hpp"

namespace tamis::test {
namespace {

// One row of the file per sample, as NumPy would write it
void write_bytes(const std::string& path, const Matrix<std::uint8_t>& bytes) {
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" +
                       std::to_string(bytes.cols()) + ", " + std::to_string(bytes.rows()) + "), }";
  header.resize(118 - 1, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file << "\x93NUMPY" << '\x01' << '\0' << char(header.size()) << '\0' << header;
  file.write(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// A small scene, and the same one below itself so often that it has many rows: its codes are the
// same.
struct Tall {
  static constexpr Index small_rows = 531;
  static constexpr Index copies = 32;
  static_assert(small_rows < many_rows && small_rows * copies >= many_rows);

  Scene scene = make_scene(
      {.features = small_rows, .rank = 4, .samples = 21, .outlier_share = 0.1, .seed = 5});
  Matrix<double> W = scene.W.replicate(copies, 1);
  Matrix<double> V = scene.V.replicate(copies, 1);

  static Settings settings() {
    Settings s = plain_settings(4, Fast{.iterations = 4000, .tolerance = 1e-10});
    s.threads = 2;
    return s;
  }
};

TEST(Frames, ManyRowsHaveTheCodesOfFew) {
  const Tall tall;
  const auto few = solve_codes<double>(tall.scene.W, tall.scene.V, 0.1, Tall::settings());
  const auto many = solve_codes<double>(tall.W, tall.V, 0.1, Tall::settings());
  ASSERT_TRUE(few.converged);
  ASSERT_TRUE(many.converged);
  EXPECT_LE((few.H - many.H).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LE((few.R.replicate(Tall::copies, 1) - many.R).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LE((few.loss * double(Tall::copies) - many.loss).cwiseAbs().maxCoeff(), 1e-6);
}

template <class T>
class FrameBits : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(FrameBits, Scalars);

TYPED_TEST(FrameBits, ThreadsDoNotChangeThem) {
  const Matrix<TypeParam> V = Tall().V.template cast<TypeParam>();
  Settings settings;
  settings.rank = 5;
  settings.batch_size = 4;
  settings.threads = 1;
  const auto serial = Trainer<TypeParam>(settings).fit(V).model;
  for (const Index threads : {2, 3}) {
    settings.threads = threads;
    EXPECT_TRUE(learned_bytes_of(Trainer<TypeParam>(settings).fit(V).model) ==
                learned_bytes_of(serial));
  }
}

// Wherever a sample is, and whoever is beside it, its codes have the same bits.
TYPED_TEST(FrameBits, CompanionsDoNotChangeThem) {
  using T = TypeParam;
  const Tall tall;
  for (const bool many : {false, true}) {
    const Matrix<T> W = (many ? tall.W : tall.scene.W).template cast<T>();
    const Matrix<T> V = (many ? tall.V : tall.scene.V).template cast<T>();
    for (const double tolerance : {0.0, 1e-3}) {
      const Settings settings = plain_settings(4, Fast{.tolerance = tolerance});
      const auto together = solve_codes<T>(W, V, 0.1, settings);
      for (const Index j : {0, 7, 20}) {
        const auto alone = solve_codes<T>(W, V.col(j), 0.1, settings);
        EXPECT_TRUE(same_bits(Matrix<T>(alone.H), Matrix<T>(together.H.col(j))));
        EXPECT_TRUE(same_bits(Matrix<T>(alone.R), Matrix<T>(together.R.col(j))));
      }
    }
  }
}

TYPED_TEST(FrameBits, AFileOfBytesIsTheSameAsItsNumbers) {
  using T = TypeParam;
  const TemporaryFolder folder;
  const std::string path = folder / "bytes.npy";
  const Matrix<double> scene =
      make_scene({.features = 300, .rank = 3, .samples = 150, .outlier_share = 0.1, .seed = 8}).V;
  const Matrix<std::uint8_t> bytes =
      (scene / scene.maxCoeff() * 255).array().round().cast<std::uint8_t>();
  write_bytes(path, bytes);
  const Matrix<T> numbers = bytes.cast<T>() / T(255);

  Settings settings;
  settings.rank = 4;
  settings.batch_size = 16;
  for (const bool shuffle : {false, true}) {
    settings.shuffle = shuffle;
    const auto expected = Trainer<T>(settings).fit(numbers).model;
    for (const bool ahead : {false, true}) {
      ReaderSource<T> source(open_reader<T>(path));
      SampleBlock<T> block;
      block.accepts_bytes = true;
      source.start({});
      ASSERT_TRUE(source.read(5, block));
      EXPECT_EQ(block.bytes, bytes.leftCols(5));  // as they are
      EXPECT_EQ(block.V.size(), 0);
      PrefetchSource<T> prefetch(source);
      Source<T>& chosen = ahead ? static_cast<Source<T>&>(prefetch) : source;
      const auto model = Trainer<T>(settings).fit(chosen).model;
      EXPECT_TRUE(same_bits(model.W, expected.W));
      EXPECT_TRUE(same_bits(model.B, expected.B));
      EXPECT_EQ(model.lambda, expected.lambda);
    }
  }
}

// With W fixed and the same frame again and again, every mini-batch goes on where the last one
// stopped.
TEST(WarmStart, GoesOnWhereTheLastSampleStopped) {
  const Scene scene = make_scene({.features = 60, .rank = 5, .samples = 1, .outlier_share = 0.2});
  const Matrix<double> V = scene.V.replicate(1, 3);
  const Settings cold_settings = plain_settings(5, Fast{.iterations = 1}).resolved();
  const Problem<double> problem(cold_settings, 0.05);
  const Executor serial;
  Batch<double> batch;
  prepare<double>(V, {}, cold_settings, 60, serial, batch);
  const auto losses = [&](bool warm_start) {
    FastAlgorithm<double> algorithm(Fast{.iterations = 1, .warm_start = warm_start}, cold_settings);
    std::vector<double> all;
    for (int round = 0; round < 60; ++round) {
      batch.resize_results(5);
      algorithm.encode(scene.W, problem, serial, batch);
      all.push_back(batch.loss.sum());
    }
    return all;
  };
  const auto cold = losses(false);
  const auto warm = losses(true);
  EXPECT_EQ(warm.front(), cold.front());
  EXPECT_EQ(cold.back(), cold.front());
  EXPECT_LT(warm.back(), warm.front());
  const auto best =
      solve_codes<double>(scene.W, V, 0.05,
                          plain_settings(5, Fast{.iterations = 5000, .tolerance = 1e-12}))
          .loss.sum();
  EXPECT_NEAR(warm.back(), best, 1e-3 * best);
}

TEST(WarmStart, IsPartOfTheState) {
  const TemporaryFolder folder;
  const std::string path = folder / "state.h5";
  const Matrix<double> V = make_scene({.features = 30, .rank = 3, .samples = 40}).V;
  const Settings settings = plain_settings(3, Fast{.iterations = 2, .warm_start = true});
  Trainer<double> straight(settings);
  Trainer<double> stopped(settings);
  for (Index first = 0; first < 40; first += 8) {
    straight.partial_fit(V.middleCols(first, 8));
    stopped.partial_fit(V.middleCols(first, 8));
    stopped.save(path);
    stopped = Trainer<double>::load(path);
  }
  EXPECT_TRUE(same_bits(stopped.model().W, straight.model().W));
  // It makes a difference, so that the test means something.
  const Settings cold = plain_settings(3, Fast{.iterations = 2});
  Trainer<double> without(cold);
  for (Index first = 0; first < 40; first += 8) without.partial_fit(V.middleCols(first, 8));
  EXPECT_FALSE(same_bits(without.model().W, straight.model().W));
}

// The requested accuracy is relative to a sample itself, wherever its codes begin.
TEST(WarmStart, DoesNotChangeWhatAccuracyMeans) {
  const Scene scene = make_scene({.features = 60, .rank = 5, .samples = 3, .outlier_share = 0.2});
  const Fast algorithm{.iterations = 5000, .tolerance = 1e-6, .warm_start = true};
  const Settings settings = plain_settings(5, algorithm).resolved();
  const Problem<double> problem(settings, 0.05);
  const Executor serial;
  const double best = solve_codes<double>(scene.W, scene.V, 0.05, settings).loss.sum();
  for (const double scale : {0.0, 1000.0}) {  // of the sample before
    SCOPED_TRACE(scale);
    FastAlgorithm<double> work(algorithm, settings);
    Batch<double> before, batch;
    const Matrix<double> scaled = scale * scene.V;
    prepare<double>(scaled, {}, settings, 60, serial, before);
    prepare<double>(scene.V, {}, settings, 60, serial, batch);
    for (Batch<double>* one : {&before, &batch}) {
      one->resize_results(5);
      work.encode(scene.W, problem, serial, *one);
    }
    EXPECT_TRUE(batch.converged);
    EXPECT_NEAR(batch.loss.sum(), best, 1e-4 * best);
  }
}

TEST(WarmStart, IsNotThatOfARefusedMiniBatch) {
  const Matrix<float> V = make_scene({.features = 30, .rank = 3, .samples = 16}).V.cast<float>();
  const Settings settings = plain_settings(3, Fast{.iterations = 2, .warm_start = true});
  Trainer<float> trainer(settings), untouched(settings);
  for (Trainer<float>* one : {&trainer, &untouched}) one->partial_fit(V.leftCols(8));
  EXPECT_EQ(trainer.partial_fit(V.leftCols(8) * 1e30F), Status::diverged);
  for (Trainer<float>* one : {&trainer, &untouched}) one->partial_fit(V.rightCols(8));
  EXPECT_TRUE(same_bits(trainer.model().W, untouched.model().W));
}

}  // namespace
}  // namespace tamis::test
