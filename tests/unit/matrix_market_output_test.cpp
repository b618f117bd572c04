// MatrixMarket files as outputs: only what is not zero, in any order, and a stopped run goes on.
#include <gtest/gtest.h>

#include "support/sample_files.hpp"
#include "support/sparse_samples.hpp"
#include "support/temporary_folder.hpp"

namespace tamis::test {
namespace {

class MatrixMarketOutput : public ::testing::Test {
 protected:
  TemporaryFolder folder;
};

TEST_F(MatrixMarketOutput, RoundTrips) {
  const Matrix<double> V = sparse_samples(7, 40) / 3;
  const std::string path = folder / "r.mtx";
  write_file(path, V, {.format = {.shape = {7}, .type = ElementType::f64}});
  EXPECT_EQ(read_file<double>(path), V);
  const Matrix<float> X = V.cast<float>();
  write_file(path, X, {.format = {.shape = {7}, .type = ElementType::f32}, .force = true});
  EXPECT_EQ(read_file<float>(path), X);
  EXPECT_EQ(folder.entries(), 1);
}

TEST_F(MatrixMarketOutput, OnlyWhatIsNotZeroIsWritten) {
  Matrix<double> X = Matrix<double>::Zero(3, 4);
  X(2, 1) = -0.25;
  X(0, 3) = 1e-9;
  const auto lines = [&](const SampleFormat& format) {
    write_file(folder / "r.mtx", X, {.format = format, .force = true});
    const std::string text = read_bytes(folder / "r.mtx");
    return text.substr(text.find('\n', text.find('\n') + 1) + 1);
  };
  EXPECT_EQ(lines({.shape = {3}, .type = ElementType::f64}), "2 3 -0.25\n4 1 1e-09\n");
  EXPECT_EQ(read_file(folder / "r.mtx"), X) << "rows of zeros count too";
  X(2, 1) = 0.5;
  EXPECT_EQ(lines({.shape = {3}, .type = ElementType::u8, .unit = 255}), "2 3 128\n");
}

TEST_F(MatrixMarketOutput, RowsInAnyOrder) {
  const Matrix<double> V = sparse_samples(4, 6);
  const std::vector<Index> order{5, 0, 1, 4, 2, 3};
  const std::string path = folder / "r.mtx";
  const auto writer =
      open_writer<double>(path, {.format = {.shape = {4}, .type = ElementType::f64}});
  writer->write(V, Rows{.order = order});
  writer->finish();
  const Matrix<double> again = read_file(path);
  for (Index j = 0; j < 6; ++j) EXPECT_EQ(again.col(order[std::size_t(j)]), V.col(j));
}

TEST_F(MatrixMarketOutput, WriterGoesOnWhereItStopped) {
  const Matrix<double> V = sparse_samples(3, 10);
  const WriterOptions options{.format = {.shape = {3}, .type = ElementType::f64}};
  write_file(folder / "whole.mtx", V, options);
  const std::string path = folder / "r.mtx";
  std::string first, state;
  {
    const auto writer = open_writer<double>(path, options);
    first = writer->state();
    writer->write(V.leftCols(4), Rows{});
    state = writer->state();
    // After the checkpoint, and longer than what will take its place: lost
    writer->write(V.rightCols(6) * 1e-200 / 3, Rows{.first = 4});
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  {
    const auto writer = open_writer<double>(path, options);
    writer->resume(state);
    writer->write(V.rightCols(6), Rows{.first = 4});
    state = writer->state();
  }
  {
    const auto writer = open_writer<double>(path, options);
    writer->resume(state);
    writer->finish();
  }
  EXPECT_EQ(read_bytes(path), read_bytes(folder / "whole.mtx"));
  EXPECT_EQ(folder.entries(), 2);
  expect_file_error(
      [&] { open_writer<double>(path, {.format = options.format, .force = true})->resume(state); },
      path, {"lost"});
  std::filesystem::rename(path, path + ".part");
  {
    const auto writer = open_writer<double>(path, options);
    writer->resume(first);
    writer->write(V, Rows{});
    writer->finish();
  }
  EXPECT_EQ(read_bytes(path), read_bytes(folder / "whole.mtx")) << "from the very beginning";
}

}  // namespace
}  // namespace tamis::test
