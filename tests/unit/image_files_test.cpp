// Images: which files, which numbers, and what is wrong with the broken ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "io/image_list.hpp"
#include "support/temporary_folder.hpp"
#include "support/whole_file.hpp"
#include "tamis/tamis.hpp"

namespace {

using namespace tamis;
using namespace tamis::test;
namespace fs = std::filesystem;

// A PGM of two rows and three columns
std::string pgm(const std::string& pixels = std::string("\x00\x01\x02\x33\xfe\xff", 6)) {
  return "P5\n3 2\n255\n" + pixels;
}

TEST(ImageFiles, NumbersInNamesAreNumbers) {
  std::vector<std::string> names{"b",     "img10.png", "img9.png", "img010.png", "a2b3",
                                 "a2b10", "img",       "img2.png", "a10b1"};
  std::ranges::sort(names, natural_less);
  EXPECT_EQ(names, (std::vector<std::string>{"a2b3", "a2b10", "a10b1", "b", "img", "img2.png",
                                             "img9.png", "img010.png", "img10.png"}));
  EXPECT_FALSE(natural_less("x7", "x7"));
}

TEST(ImageFiles, AFolderHasItsImagesInNaturalOrder) {
  const TemporaryFolder folder;
  for (const char* name : {"i10.pgm", "i2.PGM", "i1.pgm", ".hidden.pgm", "notes.txt", "i3.pgm~"})
    write_bytes(folder / name,
                pgm(std::string(6, name[1] == '1' && name[2] == '0' ? '\xff' : '\0')));
  fs::create_directory(folder / "sub.pgm");
  const auto reader = open_reader<double>(folder / "");
  EXPECT_EQ(reader->samples(), 3);
  EXPECT_EQ(reader->access(), Access::random);
  EXPECT_EQ(reader->name(1), "i2.PGM");
  EXPECT_EQ(reader->name(2), "i10.pgm");
  Matrix<double> V(6, 5);
  EXPECT_EQ(reader->read(V), 3);
  EXPECT_EQ(V(0, 1), 0);
  EXPECT_EQ(V(0, 2), 1);
  EXPECT_EQ(reader->read(V), 0);
  reader->seek(2);
  EXPECT_EQ(reader->read(V.leftCols(1)), 1);
  EXPECT_EQ(V(5, 0), 1);
}

TEST(ImageFiles, PatternsChoose) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "a");
  fs::create_directory(folder / "b");
  for (const char* name : {"a/x1.pgm", "a/x2.pgm", "a/y1.pgm", "b/x1.pgm", "a/x3.txt"})
    write_bytes(folder / name, pgm());
  EXPECT_EQ(read_all(folder / "a/x*.pgm").cols(), 2);
  EXPECT_EQ(read_all(folder / "a/*").cols(), 3);
  EXPECT_EQ(read_all(folder / "a/[xy]1.p?m").cols(), 2);
  // Two files of the same name stay apart.
  const auto both = open_reader<double>(folder / "?/x1.pgm");
  EXPECT_EQ(both->samples(), 2);
  EXPECT_NE(both->name(0), both->name(1));
  EXPECT_TRUE(both->name(1).ends_with("b_x1.pgm")) << both->name(1);
  // A file may have such a character in its name.
  write_bytes(folder / "z[1].pgm", pgm());
  EXPECT_EQ(read_all(folder / "z[1].pgm").cols(), 1);
  expect_has(problem_of(folder / "q*.pgm"), {"q*.pgm: no images", "PGM, PNG, JPEG, TIFF, BMP"});
}

TEST(ImageFiles, PixelsAreDividedByWhite) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.pgm", pgm());
  const auto reader = open_reader<float>(folder / "a.pgm");
  EXPECT_EQ(reader->format().shape, (std::vector<Index>{2, 3}));
  EXPECT_EQ(reader->format().type, ElementType::u8);
  EXPECT_EQ(reader->format().unit, 255);
  Vector<float> expected(6);
  expected << 0, 1 / 255.f, 2 / 255.f, 0.2f, 254 / 255.f, 1;
  EXPECT_EQ(read_all<float>(folder / "a.pgm"), expected);

  write_bytes(folder / "deep.pgm", "P5 # twelve bits\n2 1\n4095\n\x0f\xff\x08" + std::string(1, 0));
  EXPECT_EQ(open_reader<float>(folder / "deep.pgm")->format().type, ElementType::u16);
  EXPECT_EQ(read_all(folder / "deep.pgm")(0), 1);
  EXPECT_DOUBLE_EQ(read_all(folder / "deep.pgm")(1), 2048 / 4095.);
  write_bytes(folder / "hundred.pgm", "P5 2 1 100\nd2");
  EXPECT_EQ(read_all(folder / "hundred.pgm"), Eigen::Vector2d(1, 0.5));
  write_bytes(folder / "text.pgm", "P2\n# a comment\n2 1\n15\n15 3\n");
  EXPECT_EQ(read_all(folder / "text.pgm"), Eigen::Vector2d(1, 0.2));
}

TEST(ImageFiles, DepthsMayBeMixed) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.pgm", "P5\n2 1\n255\n\xff" + std::string(1, 0));
  write_bytes(folder / "b.pgm", "P5\n2 1\n65535\n\xff\xff\x80" + std::string(1, 0));
  const Matrix<double> V = read_all(folder / "");
  EXPECT_EQ(V.col(0), Eigen::Vector2d(1, 0));
  EXPECT_EQ(V.col(1), Eigen::Vector2d(1, 32768 / 65535.));
}

TEST(ImageFiles, ColourOnRequestRedFirst) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.ppm", "P6\n2 1\n255\n\xff\x33" + std::string("\0\0\0\xff", 4));
  const auto reader = open_reader<double>(folder / "a.ppm", {.color = true});
  EXPECT_EQ(reader->format().shape, (std::vector<Index>{1, 2, 3}));
  Vector<double> expected(6);
  expected << 1, 0.2, 0, 0, 0, 1;
  EXPECT_EQ(read_all(folder / "a.ppm", {.color = true}), expected);
  const Matrix<double> gray_levels = read_all(folder / "a.ppm");
  EXPECT_NEAR(gray_levels(0), 0.299 + 0.587 * 0.2, 0.01);
  EXPECT_NEAR(gray_levels(1), 0.114, 0.01);
}

TEST(ImageFiles, SizesMustAgreeOrBeMadeTo) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.pgm", pgm());
  write_bytes(folder / "b.pgm", "P5\n2 4\n255\n" + std::string("\0\0\xff\xff\0\0\xff\xff", 8));
  expect_has(problem_of(folder / ""), {"b.pgm: its size is 2x4", "a.pgm is 3x2", "--resize"});
  const Matrix<double> V = read_all(folder / "", {.resize = ImageSize{2, 2}});
  EXPECT_EQ(V.rows(), 4);
  EXPECT_NEAR(V(0, 1), 0.5, 0.01);  // shrinking averages
  EXPECT_EQ(open_reader<float>(folder / "", {.resize = ImageSize{5, 3}})->format().shape,
            (std::vector<Index>{3, 5}));
  EXPECT_THROW(read_all(folder / "", {.resize = ImageSize{0, 3}}), SettingsError);
}

TEST(ImageFiles, BrokenOnesAreNamed) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& name, const std::string& bytes) {
    write_bytes(folder / name, bytes);
    expect_has(problem_of(folder / name), {folder / name + ": "});
  };
  refused("empty.png", "");
  refused("text.png", "this is not an image");
  refused("short.pgm", pgm("abc"));
  refused("header.pgm", "P5\n3");
  refused("huge.pgm", "P5\n2000000 2000000\n255\nabc");
  refused("negative.pgm", "P5\n-3 2\n255\nabcdef");
  refused("zero.pgm", "P5\n0 0\n255\n");
  fs::create_directory(folder / "nothing");
  EXPECT_EQ(problem_of(folder / "nothing"),
            folder / "nothing" + ": no images in it (PGM, PNG, JPEG, TIFF, BMP)");
  expect_has(problem_of(folder / "absent.png"), {"absent.png", "No such file"});
}

TEST(ImageFiles, FilesThatWereCutShortAreRefused) {
  const TemporaryFolder folder;
  const Matrix<double> X = Matrix<double>::Random(32 * 24, 1).cwiseAbs();
  for (const std::string ending : {".png", ".jpg", ".tif", ".bmp", ".pgm"}) {
    SCOPED_TRACE(ending);
    const std::string whole = folder / "whole" + ending;
    write_all(whole, X, {.format = {.shape = {32, 24}, .type = ElementType::u8, .unit = 255}});
    EXPECT_EQ(problem_of(whole), "");
    const std::string bytes = read_bytes(whole);
    for (const double part : {0.02, 0.5, 0.9, 0.99}) {
      const std::string cut = folder / "cut" + ending;
      write_bytes(cut, bytes.substr(0, std::size_t(part * double(bytes.size()))));
      expect_has(problem_of(cut), {"cut" + ending + ": "});
    }
    // What follows the end does no harm.
    write_bytes(folder / "more" + ending, bytes + "and more");
    EXPECT_EQ(problem_of(folder / "more" + ending), "");
  }
}

TEST(ImageFiles, NobodyHearsTheLibraries) {
  const TemporaryFolder folder;
  write_bytes(folder / "short.pgm", pgm("abc"));
  ::testing::internal::CaptureStderr();
  EXPECT_NE(problem_of(folder / "short.pgm"), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
