// Models and training states come back from their files bit for bit.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/kit.hpp"
#include "support/scene.hpp"
#include "support/temporary_folder.hpp"

namespace tamis::test {
namespace {

template <class T>
class ModelFile : public ::testing::Test {
 protected:
  static Matrix<T> data() {
    return make_scene({.features = 10, .rank = 3, .samples = 30, .outlier_share = 0.1, .seed = 71})
        .V.template cast<T>();
  }

  TemporaryFolder folder;
};

using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ModelFile, Scalars);

TYPED_TEST(ModelFile, AModelComesBackBitForBit) {
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    const auto path = this->folder / "model.h5";
    const auto model = Trainer<TypeParam>(plain_settings(3, algorithm)).fit(this->data()).model;
    model.save(path);
    const auto loaded = Model<TypeParam>::load(path);
    EXPECT_TRUE(bytes_of(loaded) == bytes_of(model));
    EXPECT_TRUE(same_bits(loaded.encode(this->data()).H, model.encode(this->data()).H));
    EXPECT_EQ(this->folder.entries(), 1) << "something else was left behind";
  }
}

TYPED_TEST(ModelFile, ATrainerComesBackInTheMiddleOfAFit) {
  for (const Algorithm& algorithm : all_algorithms()) {
    SCOPED_TRACE(name_of(algorithm));
    const auto path = this->folder / "state.h5";
    Trainer<TypeParam> trainer(plain_settings(3, algorithm));
    StopAfter observer(2);
    FitOptions<TypeParam> options;
    options.observer = &observer;
    trainer.fit(this->data(), options);
    trainer.save(path);
    const auto loaded = Trainer<TypeParam>::load(path);
    EXPECT_TRUE(bytes_of(loaded.model()) == bytes_of(trainer.model()));
    // Saving again gives the same file: nothing of the state is lost or changed.
    const auto again = this->folder / "again.h5";
    loaded.save(again);
    EXPECT_TRUE(bytes_of(Trainer<TypeParam>::load(again).model()) == bytes_of(trainer.model()));
    // A training state is also a model file.
    EXPECT_TRUE(bytes_of(Model<TypeParam>::load(path)) == bytes_of(trainer.model()));
  }
}

TYPED_TEST(ModelFile, EverySettingComesBack) {
  Settings settings = plain_settings(4, Oadmm{.rho1 = 0.3, .stopping = {.iterations = 17}});
  settings.lambda = LambdaAuto{1.7};
  settings.max_outlier = std::numeric_limits<double>::infinity();
  settings.nonneg_outliers = true;
  settings.outlier_penalty = SparseGroupOutliers{0.3};
  settings.outlier_groups = {{0, 2, 4, 6, 8}, {1, 3, 5, 7, 9}};
  settings.code_penalty = GroupLasso{0.03};
  settings.code_groups = {{3, 0}, {1, 2}};
  settings.constraint = ElasticNetBall{0.2, 1.0 / 3};
  settings.dictionary_penalty = {.l1 = 1e-3, .l2 = 0.1};
  settings.init = HalfNormalInit{};
  settings.reseed = true;
  settings.forget = ForgetDecay{0.987};
  settings.shuffle = true;
  settings.normalize = NormalizeMax{};
  settings.missing = true;
  settings.allow_negative = true;
  settings.seed = 0xFFFFFFFFFFFFFFF1ull;
  const auto path = this->folder / "model.h5";
  const auto model = Trainer<TypeParam>(settings).fit(this->data()).model;
  model.save(path);
  EXPECT_EQ(Model<TypeParam>::load(path).settings.to_json(), model.settings.to_json());
  EXPECT_EQ(Model<TypeParam>::load(path).settings.seed, settings.seed);
}

TYPED_TEST(ModelFile, AnUntrainedTrainerCanBeSaved) {
  const auto path = this->folder / "state.h5";
  const Trainer<TypeParam> fresh(plain_settings(3));
  fresh.save(path);
  auto loaded = Trainer<TypeParam>::load(path);
  EXPECT_FALSE(loaded.model().trained());
  EXPECT_TRUE(same_bits(loaded.fit(this->data()).model.W,
                        Trainer<TypeParam>(plain_settings(3)).fit(this->data()).model.W));
}

TYPED_TEST(ModelFile, AnOlderFileIsReplaced) {
  const auto path = this->folder / "model.h5";
  write_bytes(path, "something else, and longer than nothing");
  const auto model = Trainer<TypeParam>(plain_settings(3)).fit(this->data()).model;
  model.save(path);
  EXPECT_TRUE(bytes_of(Model<TypeParam>::load(path)) == bytes_of(model));
}

TEST(ModelFilePrecision, AFloatModelCanBeReadAsDouble) {
  const TemporaryFolder folder;
  const Matrix<float> V = Matrix<float>::Random(6, 20).cwiseAbs();
  const auto model = Trainer<float>(plain_settings(2)).fit(V).model;
  model.save(folder / "model.h5");
  const auto wide = Model<double>::load(folder / "model.h5");
  EXPECT_TRUE(same_bits(wide.W, Matrix<double>(model.W.cast<double>())));
  EXPECT_TRUE(same_bits(wide.A, model.A));
}

// What other programs see: /W is (K, F), scikit-learn's components_.
TEST(ModelFileForOthers, IsReadByH5py) {
  const std::string python = TAMIS_PYTHON " ";
  if (std::system((python + "-c 'import h5py' 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "h5py is not installed";
  }
  const TemporaryFolder folder;
  const Matrix<double> V = Matrix<double>::Random(6, 20).cwiseAbs();
  const auto model = Trainer<double>(plain_settings(2)).fit(V).model;
  model.save(folder / "model.h5");
  write_bytes(folder / "W.bytes",
              {reinterpret_cast<const char*>(model.W.data()), std::size_t(12) * sizeof(double)});
  write_bytes(folder / "check.py",
              "import sys, h5py, numpy\n"
              "file = h5py.File(sys.argv[1], 'r')\n"
              "W = file['W'][()]\n"
              "assert W.shape == (2, 6), W.shape\n"
              "assert W.dtype == numpy.float64, W.dtype\n"
              "assert W.tobytes() == open(sys.argv[2], 'rb').read()\n"
              "assert file['A'].shape == (2, 2) and file['B'].shape == (2, 6)\n"
              "assert file['samples'][()] == 20\n");
  const std::string command = python + '"' + (folder / "check.py") + "\" \"" +
                              (folder / "model.h5") + "\" \"" + (folder / "W.bytes") + '"';
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace tamis::test
