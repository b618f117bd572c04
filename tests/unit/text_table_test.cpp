// Text tables: what is read from them, and what is refused.
#include <gtest/gtest.h>

#include "io/line_reader.hpp"
#include "io/text_number.hpp"
#include "support/sample_files.hpp"
#include "support/temporary_folder.hpp"

namespace tamis::test {
namespace {

// One row per sample, as in the file
Matrix<double> rows(std::initializer_list<std::initializer_list<double>> values) {
  Matrix<double> V(Index(values.begin()->size()), Index(values.size()));
  Index j = 0;
  for (const auto& row : values) {
    Index i = 0;
    for (const double x : row) V(i++, j) = x;
    ++j;
  }
  return V;
}

class TextTable : public ::testing::Test {
 protected:
  std::string table(const std::string& text, const std::string& name = "t.csv") const {
    write_bytes(folder / name, text);
    return folder / name;
  }
  Matrix<double> read(const std::string& text, const std::string& name = "t.csv",
                      const OpenOptions& options = {}) const {
    return read_file(table(text, name), options);
  }
  void expect_refused(const std::string& text, const std::vector<std::string>& words,
                      const OpenOptions& options = {}) const {
    expect_unreadable(table(text), words, options);
  }

  TemporaryFolder folder;
};

TEST_F(TextTable, PlainNumbers) {
  const auto expected = rows({{1, 2.5, -3e-2}, {4, 5, 6}});
  EXPECT_EQ(read("1,2.5,-3e-2\n4,5,6\n"), expected);
  EXPECT_EQ(read("1,2.5,-3e-2\n4,5,6"), expected) << "no line end at the end";
  EXPECT_EQ(read("1,2.5,-3e-2\r\n4,5,6\r\n"), expected) << "CRLF";
  EXPECT_EQ(read("1,2.5,-3e-2\n4,5,6\n\n \n\r\n"), expected) << "empty lines at the end";
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "1,2.5,-3e-2\n4,5,6\n"),
            expected)
      << "byte order mark";
  EXPECT_EQ(read(" 1 , +2.5,-3E-2 \n4,\t5,6\n"), expected) << "blanks and signs";
  EXPECT_EQ(read("\"1\",\"2.5\",\" -3e-2\"\n4,5,\"6\"\n"), expected) << "quotes";
}

TEST_F(TextTable, Separators) {
  const auto expected = rows({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(read("1;2;3\n4;5;6\n"), expected);
  EXPECT_EQ(read("1\t2\t3\n4\t5\t6\n"), expected);
  EXPECT_EQ(read("1\t2\t3\n4\t5\t6\n", "t.tsv"), expected);
  EXPECT_EQ(read("1,2,3\n4,5,6\n", "T.CSV"), expected);
  EXPECT_EQ(read("a;\"b,c\";d\n1;2;3\n4;5;6\n"), expected);
  EXPECT_EQ(read("a,\"b;c\",d\n1,2,3\n4,5,6\n"), expected);
  EXPECT_EQ(read("1\n2\n"), rows({{1}, {2}})) << "a single column has none";
}

TEST_F(TextTable, Names) {
  const auto expected = rows({{1, 2}, {3, 4}});
  EXPECT_EQ(read("x,y\n1,2\n3,4\n"), expected);
  EXPECT_EQ(read("\xEF\xBB\xBFx,\"y \"\"inner\"\" , more\"\n1,2\n3,4\n"), expected);
  EXPECT_EQ(read("1990,1991\n1,2\n3,4\n", "t.csv", {.header = true}), expected);
  EXPECT_EQ(read("1990,1991\n1,2\n3,4\n").cols(), 3) << "numbers are taken for a sample";
  expect_refused("x,y\n1,2\n", {"line 1 column 1: \"x\" is not a number"}, {.header = false});
  expect_refused("x,y,z\n1,2\n", {"line 2 has 2 fields, the lines before it 3"});
}

TEST_F(TextTable, MissingEntries) {
  const Matrix<double> V = read("1,,NA,4\nnan,N/A, ,NaN\n\"\",2,3,\n");
  ASSERT_EQ(V.rows(), 4);
  ASSERT_EQ(V.cols(), 3);
  const auto expected = rows({{0, 1, 1, 0}, {1, 1, 1, 1}, {1, 0, 0, 1}});
  EXPECT_EQ(V.array().isNaN().cast<double>().matrix(), expected);
  EXPECT_EQ(read("1\t\t3\n\t\t\n", "t.tsv").array().isNaN().count(), 4)
      << "tabs alone are a line of missing entries";
  EXPECT_EQ(V(3, 0), 4);
}

TEST_F(TextTable, ExtremeNumbers) {
  const Matrix<double> V = read("1e-400,0." + std::string(400, '0') + "1,-1e-999,1e308,5e-324\n");
  EXPECT_EQ(V(0, 0), 0);
  EXPECT_EQ(V(1, 0), 0);
  EXPECT_EQ(V(2, 0), 0);
  EXPECT_EQ(V(3, 0), 1e308);
  EXPECT_EQ(V(4, 0), 5e-324);
  expect_refused("1,2\n3,1e400\n", {"line 2 column 2: \"1e400\" is not a number"});
}

TEST_F(TextTable, SaysWhatIsWrongAndWhere) {
  std::string text = "a,b,c,d,e,f\n";
  for (int i = 2; i < 17; ++i) text += "1,2,3,4,5,6\n";
  expect_refused(text + "1,2,3,4,5\n1,2,3,4,5,6\n",
                 {": line 17 has 5 fields, the lines before it 6"});
  expect_refused(text + "1,2,3,4,5,6,7\n", {"line 17 has 7 fields"});
  expect_refused(text + "1,2,hello,4,5,6\n", {"line 17 column 3: \"hello\" is not a number"});
  expect_refused(text + "1,2,3 4,4,5,6\n", {"line 17 column 3: \"3 4\" is not a number"});
  expect_refused(text + "1,2,3,\"4,5,6\n", {"line 17 column 4: a quote is not closed"});
  expect_refused(text + "\n1,2,3,4,5,6\n", {"line 17 is empty, but more lines follow"});
  expect_refused("1;2\n1,5;3\n", {"line 2 column 1: \"1,5\" is not a number"});
  expect_refused("1,2\n3,\x1b[31m\xff\n", {R"(line 2 column 2: "\x1b[31m\xff")"});
  expect_refused("1,2\n" + std::string(1000, 'x') + ",1\n", {"line 2", "…\" is not"});
}

TEST_F(TextTable, NothingInIt) {
  for (const char* text : {"", "\n", "\n\n \r\n", "\xEF\xBB\xBF"}) expect_refused(text, {"empty"});
  expect_refused("x,y\n", {"no samples"});
  expect_refused("x,y\n\n\n", {"no samples"});
  expect_refused("\n1,2\n", {"line 1 is empty"});
  expect_refused(std::string("\xFF\xFE\61\0,\0", 6), {"UTF-16"});
  expect_unreadable(folder / "none.csv", {"No such file"});
  std::filesystem::create_directory(folder / "folder.csv");
  expect_unreadable(folder / "folder.csv", {"cannot be read"});
}

TEST_F(TextTable, BytesOfAnotherKind) {
  std::string bytes;
  unsigned x = 1;
  for (int i = 0; i < 20000; ++i) bytes += char((x = x * 1664525u + 1013904223u) >> 24);
  for (int skip = 0; skip < 200; ++skip) {
    try {
      read(bytes.substr(std::size_t(skip) * 97));
    } catch (const FileError&) {
    }
  }
}

TEST_F(TextTable, CutAnywhereItIsReadOrRefused) {
  std::string text = "first,second,third\r\n";
  for (int i = 0; i < 9; ++i) text += "0.125,\"7.5\",-1e-3\r\n";
  for (std::size_t n = 0; n < text.size(); ++n) {
    try {
      const Matrix<double> V = read(text.substr(0, n));
      EXPECT_LE(V.cols(), 9);
      EXPECT_EQ(V.rows(), n < 22 ? V.rows() : 3);
    } catch (const FileError&) {
    }
  }
}

TEST_F(TextTable, PassesAgain) {
  const std::string path = table("x,y\n1,2\n3,4\n5,6\n7,8\n");
  ReaderSource<float> source(open_reader<float>(path), {.repeat = 2, .limit = 3});
  EXPECT_FALSE(source.samples().has_value());
  Matrix<float> expected(2, 6);
  expected << 1, 3, 5, 1, 3, 5, 2, 4, 6, 2, 4, 6;
  EXPECT_EQ(all_samples(source), expected);
  EXPECT_EQ(all_samples(source, {.epoch = 1, .position = 2}), expected.rightCols(4));
  const Matrix<float> shuffled = all_samples(source, {.shuffle = true, .seed = 3});
  EXPECT_EQ(shuffled.cols(), 6);
  EXPECT_EQ(shuffled.sum(), expected.sum());
}

TEST_F(TextTable, Format) {
  const auto reader = open_reader<float>(table("1,2,3\n"));
  EXPECT_EQ(reader->access(), Access::restart);
  EXPECT_EQ(reader->format().shape, std::vector<Index>{3});
  EXPECT_EQ(reader->format().type, ElementType::f64);
  EXPECT_EQ(reader->format().unit, 1);
}

TEST_F(TextTable, LinesAreReadThroughASmallBuffer) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += std::string(std::size_t(i % 23), 'x') + "\n";
  text += "last";
  const std::string path = table(text);
  for (const Index buffer : {1, 2, 7, 64, 100000}) {
    LineReader lines(path, 100, buffer);
    std::string again;
    LineReader::Place middle;
    while (const auto line = lines.next()) {
      again += std::string(*line) + (lines.line() == 301 ? "" : "\n");
      if (lines.line() == 150) middle = lines.place();
    }
    EXPECT_EQ(again, text);
    EXPECT_EQ(lines.line(), 301);
    lines.go_to(middle);
    EXPECT_EQ(lines.next()->size(), 150u % 23u);
    EXPECT_EQ(lines.line(), 151);
  }
}

TEST_F(TextTable, ALineWithoutEndIsNotTakenIntoMemory) {
  const std::string path = table("1,2\n" + std::string(100000, '1'));
  LineReader lines(path, 1000, 16);
  EXPECT_EQ(lines.next(), "1,2");
  expect_file_error([&] { lines.next(); }, path, {"line 2 is longer than 1000 bytes"});
}

TEST(TextNumber, OnlyWholeNumbersAreNumbers) {
  double x = 0;
  for (const char* text : {"1", "+1", "-1", "1.", ".5", "1e5", "1E+5", "inf", "nan"})
    EXPECT_TRUE(parse_number(text, x)) << text;
  for (const char* text : {"", "+", "-", "+-1", "++1", "1 ", "1x", "0x10", "1,5", "e5"})
    EXPECT_FALSE(parse_number(text, x)) << text;
  Index n = 0;
  EXPECT_TRUE(parse_number("12", n));
  EXPECT_FALSE(parse_number("99999999999999999999", n));
  EXPECT_FALSE(parse_number("1.5", n));
}

}  // namespace
}  // namespace tamis::test
