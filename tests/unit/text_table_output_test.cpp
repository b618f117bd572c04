// Text tables as outputs: numbers come back as they were, and a stopped run goes on.
#include <gtest/gtest.h>

#include <limits>

#include "support/sample_files.hpp"
#include "support/temporary_folder.hpp"

namespace tamis::test {
namespace {

class TextTableOutput : public ::testing::Test {
 protected:
  TemporaryFolder folder;
};

template <class T>
Matrix<T> awkward_numbers() {
  Matrix<T> X = Matrix<T>::Random(5, 11) / T(3);
  X(0, 0) = T(1) / T(3);
  X(1, 0) = std::numeric_limits<T>::max();
  X(2, 0) = std::numeric_limits<T>::denorm_min();
  X(3, 0) = std::numeric_limits<T>::epsilon();
  X(4, 0) = T(-1e-7);
  X(0, 1) = T(16777216);
  return X;
}

TEST_F(TextTableOutput, NumbersComeBackAsTheyWere) {
  for (const char* name : {"d.csv", "d.tsv"}) {
    const Matrix<double> X = awkward_numbers<double>();
    write_file(folder / name, X, {.format = {.shape = {5}, .type = ElementType::f64}});
    EXPECT_EQ(read_file<double>(folder / name), X);
  }
  for (const ElementType type : {ElementType::f32, ElementType::f64}) {
    const Matrix<float> X = awkward_numbers<float>();
    write_file(folder / "f.csv", X, {.format = {.shape = {5}, .type = type}, .force = true});
    EXPECT_EQ(read_file<float>(folder / "f.csv"), X);
  }
  EXPECT_EQ(folder.entries(), 3);
}

TEST_F(TextTableOutput, ShortestText) {
  Matrix<float> X(3, 2);
  X << 0.1f, 1, 2, 0.25f, 0, std::numeric_limits<float>::quiet_NaN();
  write_file(folder / "x.tsv", X, {.format = {.shape = {3}, .type = ElementType::f64}});
  EXPECT_EQ(read_bytes(folder / "x.tsv"), "0.1\t2\t0\n1\t0.25\tnan\n");
  X(2, 1) = 2;
  write_file(folder / "i.csv", X, {.format = {.shape = {3}, .type = ElementType::u8, .unit = 255}});
  EXPECT_EQ(read_bytes(folder / "i.csv"), "26,255,0\n255,64,255\n");
}

TEST_F(TextTableOutput, WriterWantsConsecutiveRows) {
  const std::string path = folder / "x.csv";
  const Matrix<double> X = Matrix<double>::Ones(2, 3);
  const std::vector<Index> order{0, 2, 1};
  {
    const auto writer = open_writer<double>(path, {.format = {.shape = {2}}});
    EXPECT_THROW(writer->write(X, Rows{.order = order}), Error);
    EXPECT_THROW(writer->write(X, Rows{.first = 1}), Error);
    writer->write(X, Rows{});
    try {
      writer->write(X, Rows{});
      ADD_FAILURE() << "rows were written twice";
    } catch (const Error& problem) {
      EXPECT_NE(std::string(problem.what()).find(".npy"), std::string::npos);
    }
  }
  EXPECT_EQ(folder.entries(), 0) << "an unfinished file was left behind";
}

TEST_F(TextTableOutput, WriterGoesOnWhereItStopped) {
  const Matrix<double> X = Matrix<double>::Random(3, 10);
  const WriterOptions options{.format = {.shape = {3}, .type = ElementType::f64}};
  write_file(folder / "whole.csv", X, options);
  const std::string path = folder / "x.csv";
  std::string state;
  {
    const auto writer = open_writer<double>(path, options);
    writer->write(X.leftCols(4), Rows{});
    state = writer->state();
    // After the checkpoint, and longer than what will take its place: lost
    writer->write(X.rightCols(6) * 1e-200, Rows{.first = 4});
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  {
    const auto writer = open_writer<double>(path, options);
    writer->resume(state);
    EXPECT_THROW(writer->write(X.leftCols(1), Rows{}), Error) << "forgot how many rows there are";
    writer->write(X.rightCols(6), Rows{.first = 4});
    writer->finish();
  }
  EXPECT_EQ(read_bytes(path), read_bytes(folder / "whole.csv"));
  EXPECT_EQ(folder.entries(), 2);
}

TEST_F(TextTableOutput, WriterRefusesToGoOnWithoutItsFile) {
  const WriterOptions options{.format = {.shape = {1}}};
  const std::string path = folder / "x.csv";
  const auto resume = [&](const std::string& state) {
    open_writer<double>(path, options)->resume(state);
  };
  expect_file_error([&] { resume("10 1"); }, path, {"lost"});
  write_bytes(path + ".part", "1\n");
  expect_file_error([&] { resume("10 1"); }, path, {"lost"});
  for (const char* state : {"", "x", "1", "2 -1", "2 1 1", "99999999999999999999 1"})
    expect_file_error([&, state] { resume(state); }, path, {"another kind"});
  EXPECT_TRUE(std::filesystem::exists(path + ".part")) << "what was written is gone";
}

}  // namespace
}  // namespace tamis::test
