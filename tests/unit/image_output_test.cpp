// Images written: names, values, and when a folder appears or is replaced.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "support/temporary_folder.hpp"
#include "support/whole_file.hpp"
#include "tamis/tamis.hpp"

namespace {

using namespace tamis;
using namespace tamis::test;
namespace fs = std::filesystem;

const SampleFormat gray{.shape = {2, 3}, .type = ElementType::u8, .unit = 255};
const SampleFormat deep{.shape = {2, 3}, .type = ElementType::u16, .unit = 65535};
const SampleFormat coloured{.shape = {1, 2, 3}, .type = ElementType::u8, .unit = 255};

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

TEST(ImageOutput, WrittenAndReadAgain) {
  const TemporaryFolder folder;
  Matrix<double> X(6, 2);
  X << 0, 1, 0.2, 0.8, 1, 0, 0.4, 0.6, 1.7, -0.3, 0.6, 0.001;
  const Matrix<double> clipped = X.cwiseMax(0).cwiseMin(1);
  write_all(folder / "gray", X, {.format = gray});
  EXPECT_EQ(files_in(folder / "gray"), (std::vector<std::string>{"000000.png", "000001.png"}));
  EXPECT_LE((read_all(folder / "gray") - clipped).cwiseAbs().maxCoeff(), 0.5 / 255 + 1e-12);
  write_all(folder / "deep/", X, {.format = deep});
  EXPECT_EQ(open_reader<double>(folder / "deep")->format().type, ElementType::u16);
  EXPECT_LE((read_all(folder / "deep") - clipped).cwiseAbs().maxCoeff(), 0.5 / 65535 + 1e-12);
  write_all(folder / "coloured", X, {.format = coloured});
  EXPECT_LE((read_all(folder / "coloured", {.color = true}) - clipped).cwiseAbs().maxCoeff(),
            0.5 / 255 + 1e-12);
  // Numbers that are stored as such elsewhere: 1 is white.
  write_all(folder / "real", X, {.format = {.shape = {2, 3}, .unit = 65535}});
  EXPECT_EQ(read_all(folder / "real"), read_all(folder / "gray"));
  EXPECT_EQ(folder.entries(), 4);
}

TEST(ImageOutput, ValuesAroundZeroAreShownAroundMiddleGray) {
  const TemporaryFolder folder;
  Matrix<float> X(6, 1);
  X << 0, 1, -1, 0.5f, -7, 7;
  write_all<float>(folder / "r.pgm", X, {.format = gray, .around_zero = true});
  const std::string bytes = read_bytes(folder / "r.pgm");
  EXPECT_EQ(bytes.substr(bytes.size() - 6), std::string("\x80\xff\x01\xc0\x00\xff", 6));
}

TEST(ImageOutput, NamesAreKeptWhereTheyCanBe) {
  const TemporaryFolder folder;
  const std::vector<std::string> names{"a.pgm", "sub/b.jpg", "c.gif", "", "d.BMP", "..", "e.ppm"};
  const WriterOptions options{.format = gray,
                              .name = [&](Index row) { return names[size_t(row)]; }};
  const Matrix<double> X = Matrix<double>::Constant(6, 7, 0.5);
  write_all(folder / "out", X, options, {6, 5, 4, 3, 2, 1, 0});
  EXPECT_EQ(files_in(folder / "out"),
            (std::vector<std::string>{"000003.png", "000005.png", "a.pgm", "b.jpg", "c.png",
                                      "d.BMP", "e.pgm"}));
  WriterOptions deeper = options;
  deeper.format = deep;
  write_all(folder / "deep", X, deeper);
  EXPECT_EQ(files_in(folder / "deep"),
            (std::vector<std::string>{"000003.png", "000005.png", "a.pgm", "b.png", "c.png",
                                      "d.png", "e.pgm"}));
  EXPECT_EQ(open_reader<float>(folder / "deep/a.pgm")->format().type, ElementType::u16);
}

TEST(ImageOutput, TwoRowsOfOneNameAreRefused) {
  const TemporaryFolder folder;
  const auto writer = open_writer<double>(
      folder / "out", {.format = gray, .name = [](Index) { return std::string("same.png"); }});
  const Matrix<double> X = Matrix<double>::Zero(6, 1);
  writer->write(X, {0});
  writer->write(X, {0});  // again
  EXPECT_THROW(writer->write(X, {1}), FileError);
}

TEST(ImageOutput, RowsOfAnyOrderAndNothingBeforeTheEnd) {
  const TemporaryFolder folder;
  Matrix<double> X = Matrix<double>::Zero(6, 3);
  X.row(0) << 0.2, 0.4, 0.6;
  {
    const auto writer = open_writer<double>(folder / "out", {.format = gray});
    writer->write(X, {0, std::vector<Index>{2, 0, 1}});
    EXPECT_FALSE(fs::exists(folder / "out"));
  }
  EXPECT_EQ(folder.entries(), 0);  // it was not finished
  write_all(folder / "out", X, {.format = gray}, {2, 0, 1});
  EXPECT_EQ(read_all(folder / "out").row(0), Eigen::RowVector3d(0.4, 0.6, 0.2));
}

TEST(ImageOutput, AStoppedRunGoesOn) {
  const TemporaryFolder folder;
  const Matrix<double> X = Matrix<double>::Constant(6, 1, 0.5);
  std::string state;
  {
    const auto writer = open_writer<double>(folder / "out", {.format = gray});
    writer->write(X, {0});
    state = writer->state();
  }
  {
    const auto writer = open_writer<double>(folder / "out", {.format = gray});
    writer->resume(state);
    writer->write(X, {1});
    writer->finish();
  }
  EXPECT_EQ(files_in(folder / "out").size(), 2U);
  EXPECT_EQ(folder.entries(), 1);
  const auto lost = open_writer<double>(folder / "lost", {.format = gray});
  EXPECT_THROW(lost->resume(state), FileError);
}

TEST(ImageOutput, LeftoversOfAKilledRunAreNotPublished) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "out.part");
  write_bytes(folder / "out.part/000009.png", "old");
  write_all(folder / "out", Matrix<double>(Matrix<double>::Zero(6, 1)), {.format = gray});
  EXPECT_EQ(files_in(folder / "out"), std::vector<std::string>{"000000.png"});
}

TEST(ImageOutput, FoldersAreReplacedWithCare) {
  const TemporaryFolder folder;
  const Matrix<double> X = Matrix<double>::Zero(6, 2);
  write_all(folder / "out", X, {.format = gray});
  EXPECT_THROW(open_writer<double>(folder / "out", {.format = gray}), FileError);
  write_all<double>(folder / "out", X.leftCols(1), {.format = gray, .force = true});
  EXPECT_EQ(files_in(folder / "out").size(), 1U);
  write_bytes(folder / "out/thesis.tex", "three years");
  EXPECT_THROW(open_writer<double>(folder / "out", {.format = gray, .force = true}), FileError);
  EXPECT_THROW(open_writer<double>(folder / "out/.", {.format = gray, .force = true}), FileError);
  EXPECT_THROW(open_writer<double>(folder / "no/out", {.format = gray}), FileError);
  EXPECT_EQ(files_in(folder / "out").size(), 2U);
}

TEST(ImageOutput, OneImageForOneRow) {
  const TemporaryFolder folder;
  const Matrix<double> X = Matrix<double>::Constant(6, 1, 0.2);
  write_all(folder / "a.png", X, {.format = gray, .rows = 1});
  EXPECT_EQ(read_all(folder / "a.png"), X);
  EXPECT_EQ(folder.entries(), 1);
  EXPECT_THROW(open_writer<double>(folder / "b.png", {.format = gray, .rows = 2}), FileError);
  EXPECT_THROW(open_writer<double>(folder / "b.jpg", {.format = deep}), FileError);
  EXPECT_THROW(open_writer<double>(folder / "b.pgm", {.format = coloured}), FileError);
  const auto writer = open_writer<double>(folder / "b.png", {.format = gray});
  writer->write(X, {0});
  EXPECT_THROW(writer->write(X, {1}), FileError);
}

TEST(ImageOutput, WhatIsNoImageIsNotWritten) {
  const TemporaryFolder folder;
  try {
    open_writer<double>(folder / "codes", {.format = {.shape = {5}}});
    FAIL();
  } catch (const FileError& problem) {
    expect_has(problem.what(), {"codes: ", "shape 5", ".npy"});
  }
  EXPECT_THROW(open_writer<double>(folder / "x", {.format = {.shape = {2, 3, 4}}}), FileError);
  EXPECT_EQ(folder.entries(), 0);
}

}  // namespace
