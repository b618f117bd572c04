// Several files that a pattern names are one array.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "random/random.hpp"
#include "support/sample_files.hpp"
#include "support/temporary_folder.hpp"
#include "support/together.hpp"

namespace tamis::test {
namespace {

Matrix<double> data(Index samples, Index features = 6) {
  Matrix<double> X(features, samples);
  RandomStream random(5, Purpose::data);
  for (auto& x : X.reshaped()) x = random.uniform();
  return X;
}

class SeveralFiles : public ::testing::Test {
 protected:
  // Numbered without leading zeros: 10 comes after 9. `name` has a # for the number.
  std::string write(const Matrix<double>& X, const std::vector<Index>& counts,
                    const std::string& name, ElementType type = ElementType::f64) {
    Index first = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      std::string file = folder_ / name;
      file.replace(file.find('#'), 1, std::to_string(i + 1));
      write_file<double>(file, X.middleCols(first, counts[i]),
                         {.format = {.shape = {X.rows()}, .type = type, .unit = unit_of(type)},
                          .rows = counts[i],
                          .force = true});
      first += counts[i];
    }
    std::string pattern = folder_ / name;
    return pattern.replace(pattern.find('#'), 1, "*");
  }

  TemporaryFolder folder_;
};

TEST_F(SeveralFiles, OfEveryKindAreOneArray) {
  const std::vector<Index> counts{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
  const Matrix<double> X = data(44);
  for (const std::string name : {"x#.npy", "x#.csv", "x#.tsv", "x#.h5", "x#.mtx"}) {
    SCOPED_TRACE(name);
    const std::string pattern = write(X, counts, name);
    EXPECT_TRUE(same_bits(read_file(pattern), X));
  }
  EXPECT_TRUE(same_bits(read_file(folder_ / "x*.h5:/data"), X));
}

// Passes do not depend on where one file ends: in order, shuffled, from the middle, by shares.
TEST_F(SeveralFiles, PassesAreThoseOfOneFile) {
  const Matrix<double> X = data(40);
  const std::string whole = write(X, {40}, "whole#.npy");
  const std::string parts = write(X, {0, 7, 0, 0, 12, 1, 20, 0}, "part#.npy");
  ReaderSource<double> one(open_reader<double>(whole), {.repeat = 2});
  ReaderSource<double> many(open_reader<double>(parts), {.repeat = 2});
  EXPECT_EQ(many.samples(), 80);
  for (const bool shuffle : {false, true}) {
    for (const Index position : {0, 7, 19, 40, 63}) {
      for (const Share share : {Share{}, Share{1, 3, 4}}) {
        const Pass pass{
            .epoch = 1, .position = position, .shuffle = shuffle, .seed = 3, .share = share};
        EXPECT_TRUE(same_bits(all_samples(many, pass), all_samples(one, pass)));
      }
    }
  }
}

TEST_F(SeveralFiles, TextIsReadFromTheBeginningAgain) {
  const Matrix<double> X = data(20);
  const std::string pattern = write(X, {5, 1, 14}, "x#.csv");
  ReaderSource<double> source(open_reader<double>(pattern));
  EXPECT_EQ(source.samples(), std::nullopt);
  for (int pass = 0; pass < 3; ++pass) EXPECT_TRUE(same_bits(all_samples(source), X));
  EXPECT_TRUE(same_bits(all_samples(source, {.position = 7}), Matrix<double>(X.rightCols(13))));
}

TEST_F(SeveralFiles, MoreThanAreOpenAtATime) {
  const Matrix<double> X = data(200);
  const std::string pattern = write(X, std::vector<Index>(200, 1), "x#.npy");
  ReaderSource<double> source(open_reader<double>(pattern));
  EXPECT_TRUE(same_bits(all_samples(source), X));
  source.start({.shuffle = true, .seed = 1});
  SampleBlock<double> block;
  while (source.read(7, block))
    for (Index j = 0; j < block.V.cols(); ++j)
      EXPECT_TRUE(block.V.col(j) == X.col(block.order[std::size_t(j)]));
}

TEST_F(SeveralFiles, BytesStayBytes) {
  const Matrix<double> X = (data(12) * 255).array().floor() / 255;
  const std::string pattern = write(X, {5, 7}, "x#.npy", ElementType::u8);
  const auto reader = open_reader<float>(pattern);
  EXPECT_TRUE(reader->stores_bytes());
  Matrix<std::uint8_t> V(6, 12);
  EXPECT_EQ(reader->read_bytes(V), 12);
  EXPECT_LE((V.cast<double>() / 255 - X).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_F(SeveralFiles, RanksLearnFromThemWhatTheyLearnFromOne) {
  const Matrix<double> X = data(60);
  const std::string pattern = write(X, {20, 1, 33, 6}, "x#.npy");
  Settings settings = plain_settings(3);
  settings.batch_size = 4;
  settings.epochs = 2;
  for (const bool shuffle : {false, true}) {
    settings.shuffle = shuffle;
    Ensemble<double> together{
        3, settings,
        [&](int) { return std::make_unique<ReaderSource<double>>(open_reader<double>(pattern)); }};
    EXPECT_TRUE(bytes_of(together.fit()[0].model) ==
                bytes_of(ensemble(3, settings, X).fit()[0].model));
  }
}

TEST_F(SeveralFiles, OnesThatDoNotFitAreNamed) {
  write(data(4), {2, 2}, "x#.npy");
  write(data(3, 5), {3}, "x3#.npy");
  expect_file_error([&] { open_reader<double>(folder_ / "x*.npy"); }, folder_ / "x31.npy",
                    {"5 features", "x1.npy has 6"});
  write(data(4), {4}, "x3#.npy", ElementType::u8);
  expect_file_error([&] { open_reader<double>(folder_ / "x*.npy"); }, folder_ / "x31.npy",
                    {"u8", "x1.npy", "f64"});
  std::ofstream(folder_ / "x31.npy") << "nonsense";
  expect_file_error([&] { open_reader<double>(folder_ / "x*.npy"); }, folder_ / "x31.npy", {});
  expect_file_error([&] { open_reader<double>(folder_ / "y*.npy"); }, folder_ / "y*.npy",
                    {"no files"});
}

TEST_F(SeveralFiles, OneThatChangesMeanwhileIsNamed) {
  const std::string pattern = write(data(4), {2, 2}, "x#.npy");
  const auto reader = open_reader<double>(pattern);
  write(data(3), {3}, "x2#.npy");
  std::filesystem::rename(folder_ / "x21.npy", folder_ / "x2.npy");
  Matrix<double> V(6, 4);
  expect_file_error([&] { reader->read(V); }, folder_ / "x2.npy", {"another number"});
}

TEST_F(SeveralFiles, AFileWithSuchANameIsAFile) {
  const Matrix<double> X = data(3);
  const std::string pattern = write(X, {3}, "x[#].npy");
  EXPECT_TRUE(same_bits(read_file(folder_ / "x[1].npy"), X));
  EXPECT_NE(pattern, folder_ / "x[1].npy");
}

}  // namespace
}  // namespace tamis::test
