// Videos in and out: frames, their order, and what is wrong with the broken ones.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "support/temporary_folder.hpp"
#include "support/whole_file.hpp"
#include "tamis/tamis.hpp"

namespace {

using namespace tamis;
using namespace tamis::test;
namespace fs = std::filesystem;

constexpr Index height = 48, width = 64;

WriterOptions gray_video(double rate = 0) {
  return {.format = {
              .shape = {height, width}, .type = ElementType::u8, .unit = 255, .frame_rate = rate}};
}

// A smooth picture that moves: frame j is brighter at the left by a known amount.
Matrix<double> frames(Index n, Index rows = height, Index columns = width) {
  Matrix<double> X(rows * columns, n);
  for (Index j = 0; j < n; ++j)
    for (Index p = 0; p < X.rows(); ++p) {
      const Index row = p / columns, moved = (p % columns + 3 * j) % columns;
      X(p, j) = 0.2 + 0.3 * double(row) / double(rows) + 0.4 * double(moved) / double(columns);
    }
  return X;
}

TEST(VideoFiles, LosslessInMkv) {
  const TemporaryFolder folder;
  const Matrix<double> X = frames(7);
  write_all(folder / "x.mkv", X, gray_video(10));
  EXPECT_EQ(folder.entries(), 1);
  const auto reader = open_reader<double>(folder / "x.mkv");
  EXPECT_EQ(reader->format().shape, (std::vector<Index>{height, width}));
  EXPECT_EQ(reader->format().type, ElementType::u8);
  EXPECT_EQ(reader->format().unit, 255);
  EXPECT_NEAR(reader->format().frame_rate, 10, 1e-6);
  EXPECT_EQ(reader->access(), Access::restart);
  EXPECT_EQ(reader->samples(), std::nullopt);
  const Matrix<double> V = read_all(folder / "x.mkv");
  ASSERT_EQ(V.cols(), 7);
  EXPECT_LE((V - X).cwiseAbs().maxCoeff(), 3. / 255);  // colours are rounded on the way
}

TEST(VideoFiles, LossyElsewhere) {
  const TemporaryFolder folder;
  const Matrix<double> X = frames(7);
  for (const std::string ending : {".mp4", ".avi", ".MP4"}) {
    SCOPED_TRACE(ending);
    write_all(folder / "x" + ending, X, gray_video());
    const auto reader = open_reader<float>(folder / "x" + ending);
    EXPECT_NEAR(reader->format().frame_rate, 25, 1e-6);
    const Matrix<double> V = read_all(folder / "x" + ending);
    ASSERT_EQ(V.cols(), 7);
    EXPECT_LE((V - X).cwiseAbs().mean(), 4. / 255);
  }
}

TEST(VideoFiles, FromTheBeginningAgain) {
  const TemporaryFolder folder;
  write_all(folder / "x.avi", frames(5), gray_video());
  const auto reader = open_reader<float>(folder / "x.avi");
  reader->seek(0);
  Matrix<float> first(height * width, 2), rest(height * width, 9), again(height * width, 9);
  EXPECT_EQ(reader->read(first), 2);
  EXPECT_EQ(reader->read(rest), 3);
  EXPECT_EQ(reader->read(rest.rightCols(1)), 0);
  reader->seek(0);
  EXPECT_EQ(reader->read(again), 5);
  EXPECT_EQ(again.leftCols(2), first);
  EXPECT_EQ(again.middleCols(2, 3), rest.leftCols(3));
}

TEST(VideoFiles, ColourAndSize) {
  const TemporaryFolder folder;
  Matrix<double> X(16 * 16 * 3, 2);
  for (Index p = 0; p < X.rows(); ++p) X.row(p).setConstant(p % 3 == 0 ? 0.8 : 0.2);  // red
  write_all(folder / "x.mkv", X, {.format = {.shape = {16, 16, 3}, .unit = 1}});
  const Matrix<double> V = read_all(folder / "x.mkv", {.color = true});
  ASSERT_EQ(V.rows(), X.rows());
  EXPECT_LE((V - X).cwiseAbs().maxCoeff(), 4. / 255);
  EXPECT_NEAR(read_all(folder / "x.mkv")(0), 0.2 + 0.299 * 0.6, 4. / 255);
  const auto small = open_reader<double>(folder / "x.mkv", {.resize = ImageSize{8, 4}});
  EXPECT_EQ(small->format().shape, (std::vector<Index>{4, 8}));
  EXPECT_THROW(open_reader<double>(folder / "x.mkv", {.resize = ImageSize{0, 4}}), SettingsError);
}

TEST(VideoFiles, OddSizesAreFilledUp) {
  const TemporaryFolder folder;
  const Matrix<double> X = frames(3, 17, 31);
  for (const std::string ending : {".mp4", ".avi", ".mkv"}) {
    SCOPED_TRACE(ending);
    write_all(folder / "x" + ending, X, {.format = {.shape = {17, 31}}});
    const auto reader = open_reader<double>(folder / "x" + ending);
    ASSERT_EQ(reader->format().shape, (std::vector<Index>{18, 32}));
    Matrix<double> V(18 * 32, 3);
    ASSERT_EQ(reader->read(V), 3);
    EXPECT_NEAR(V(16 * 32 + 10, 1), X(16 * 31 + 10, 1), 0.1);
  }
}

TEST(VideoFiles, SixteenBitsBecomeEight) {
  const TemporaryFolder folder;
  const Matrix<double> X = frames(2);
  write_all(folder / "x.mkv", X,
            {.format = {.shape = {height, width}, .type = ElementType::u16, .unit = 65535}});
  EXPECT_LE((read_all(folder / "x.mkv") - X).cwiseAbs().maxCoeff(), 3. / 255);
}

TEST(VideoFiles, BrokenOnesAreNamed) {
  const TemporaryFolder folder;
  write_bytes(folder / "empty.mp4", "");
  write_bytes(folder / "text.avi", "this is not a video, whatever its name says");
  write_all(folder / "x.mp4", frames(20), gray_video());
  const std::string bytes = read_bytes(folder / "x.mp4");
  write_bytes(folder / "cut.mp4", bytes.substr(0, bytes.size() / 2));
  ::testing::internal::CaptureStderr();
  expect_has(problem_of(folder / "empty.mp4"), {"empty.mp4: an empty file"});
  expect_has(problem_of(folder / "text.avi"), {"text.avi: no frame"});
  expect_has(problem_of(folder / "cut.mp4"), {"cut.mp4: no frame"});
  expect_has(problem_of(folder / "absent.mp4"), {"absent.mp4", "No such file"});
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(VideoFiles, OnlyFramesInTheirOrderAreWritten) {
  const TemporaryFolder folder;
  {
    const auto writer = open_writer<double>(folder / "x.mp4", gray_video());
    writer->write(frames(2), {0});
    EXPECT_THROW(writer->write(frames(1), {3}), Error);
    EXPECT_THROW(writer->write(frames(1), {1}), Error);
    writer->write(frames(1), {2});
    EXPECT_THROW(writer->resume(writer->state()), Error);
    EXPECT_FALSE(fs::exists(folder / "x.mp4"));
    EXPECT_TRUE(fs::exists(folder / "x.part.mp4"));
  }
  EXPECT_EQ(folder.entries(), 0);
}

TEST(VideoFiles, WhatCannotBeWritten) {
  const TemporaryFolder folder;
  EXPECT_THROW(open_writer<double>(folder / "x.mp4", {.format = {.shape = {5}}}), FileError);
  EXPECT_THROW(open_writer<double>(folder / "no/x.mp4", gray_video()), FileError);
  EXPECT_THROW(open_writer<double>(folder / "x.mov", gray_video()), FileError);
  EXPECT_THROW(open_writer<double>(folder / "y.mp4", gray_video())->finish(), FileError);
  fs::create_directory(folder / "z.part.mp4");  // in the way
  write_bytes(folder / "z.part.mp4/file", "");
  EXPECT_THROW(open_writer<double>(folder / "z.mp4", gray_video()), FileError);
  write_bytes(folder / "there.mp4", "old");
  EXPECT_THROW(open_writer<double>(folder / "there.mp4", gray_video()), FileError);
  WriterOptions force = gray_video();
  force.force = true;
  write_all(folder / "there.mp4", frames(2), force);
  EXPECT_EQ(read_all(folder / "there.mp4").cols(), 2);
}

}  // namespace
