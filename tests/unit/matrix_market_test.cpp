// MatrixMarket files: every layout and symmetry, in any order, with bounded memory; what is
// refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "io/entry_sorter.hpp"
#include "io/matrix_market.hpp"
#include "support/sample_files.hpp"
#include "support/sparse_samples.hpp"
#include "support/temporary_folder.hpp"

namespace tamis::test {
namespace {

const std::string banner = "%%MatrixMarket matrix ";

struct Listed {
  Index row, column;
  double value;
};

std::vector<Listed> listed(const Matrix<double>& V) {
  std::vector<Listed> entries;
  for (Index j = 0; j < V.cols(); ++j)
    for (Index i = 0; i < V.rows(); ++i)
      if (V(i, j) != 0) entries.push_back({j, i, V(i, j)});
  return entries;
}

std::string coordinate_text(const Matrix<double>& V, const std::vector<Listed>& entries) {
  std::string text = banner + "coordinate real general\n% a comment\n\n" +
                     std::to_string(V.cols()) + " " + std::to_string(V.rows()) + " " +
                     std::to_string(entries.size()) + "\n";
  for (const Listed& e : entries)
    text += std::to_string(e.row + 1) + " " + std::to_string(e.column + 1) + " " +
            std::to_string(e.value) + "\n";
  return text;
}

class MatrixMarket : public ::testing::Test {
 protected:
  std::string file(const std::string& text) const {
    write_bytes(folder / "m.mtx", text);
    return folder / "m.mtx";
  }
  Matrix<double> read(const std::string& text) const { return read_file(file(text)); }
  void expect_refused(const std::string& text, const std::vector<std::string>& words) const {
    expect_unreadable(file(text), words);
  }

  TemporaryFolder folder;
};

TEST_F(MatrixMarket, SortedByRow) {
  const Matrix<double> V = sparse_samples(7, 40);
  const std::string path = file(coordinate_text(V, listed(V)));
  const auto reader = open_reader<float>(path);
  EXPECT_EQ(reader->access(), Access::restart);
  EXPECT_EQ(reader->samples(), 40);
  EXPECT_EQ(reader->format().shape, std::vector<Index>{7});
  EXPECT_EQ(reader->format().type, ElementType::f64);
  EXPECT_EQ(reader->format().unit, 1);
  EXPECT_EQ(read_file<double>(path), V);
  EXPECT_EQ(read_file<float>(path), V.cast<float>());
  ReaderSource<double> source(open_reader<double>(path), {.repeat = 2});
  const Matrix<double> twice = all_samples(source);
  EXPECT_EQ(twice.leftCols(40), V);
  EXPECT_EQ(twice.rightCols(40), V);
  EXPECT_EQ(all_samples(source, {.epoch = 1, .position = 13}).leftCols(27), V.rightCols(27));
}

TEST_F(MatrixMarket, SortedByColumnOrNotAtAll) {
  const Matrix<double> V = sparse_samples(7, 40);
  std::vector<Listed> entries = listed(V);
  std::ranges::stable_sort(entries, {}, &Listed::column);
  EXPECT_EQ(read(coordinate_text(V, entries)), V);
  std::shuffle(entries.begin(), entries.end(), std::mt19937(3));
  const std::string path = file(coordinate_text(V, entries));
  EXPECT_EQ(read_file<double>(path), V);
  EXPECT_EQ(read_file<float>(path), V.cast<float>());
}

TEST_F(MatrixMarket, SortedInSmallRuns) {
  const Matrix<double> V = sparse_samples(31, 100);
  std::vector<Listed> entries = listed(V);
  ASSERT_GT(entries.size(), 700u);
  std::shuffle(entries.begin(), entries.end(), std::mt19937(3));
  const std::string path = file(coordinate_text(V, entries));
  for (const Index run : {1, 2, 7, 100, 699, 100000}) {
    ReaderSource<double> source(open_matrix_market<double>(path, run));
    EXPECT_EQ(source.reader().access(), Access::random);
    EXPECT_EQ(all_samples(source), V) << run;
    EXPECT_EQ(all_samples(source, {.position = 77}), V.rightCols(23));
    const Matrix<double> shuffled = all_samples(source, {.shuffle = true, .seed = 4});
    EXPECT_NE(shuffled, V);
    EXPECT_NEAR(shuffled.sum(), V.sum(), 1e-9);
  }
}

TEST_F(MatrixMarket, AnySampleAtAnyTimeWhenItWasSorted) {
  Matrix<double> V = sparse_samples(5, 60);
  V.middleCols(20, 10).setZero();
  V.rightCols(3).setZero();
  std::vector<Listed> entries = listed(V);
  std::ranges::reverse(entries);
  const auto reader = open_matrix_market<double>(file(coordinate_text(V, entries)), 50);
  Matrix<double> v(5, 1);
  for (const Index at : {59, 0, 25, 20, 31, 56, 3, 57}) {
    reader->seek(at);
    EXPECT_EQ(reader->read(v), 1);
    EXPECT_EQ(v, V.col(at)) << at;
  }
  reader->seek(60);
  EXPECT_EQ(reader->read(v), 0);
}

TEST_F(MatrixMarket, Pattern) {
  Matrix<double> expected(3, 2);
  expected << 1, 0, 0, 0, 0, 1;
  EXPECT_EQ(read(banner + "coordinate pattern general\n2 3 2\n1 1\n2 3\n"), expected);
}

TEST_F(MatrixMarket, IntegersCapitalsAndLooseText) {
  Matrix<double> expected(2, 2);
  expected << 5, 0, 0, -7;
  EXPECT_EQ(read("%%matrixmarket MATRIX Coordinate Integer General\r\n%\r\n  2\t2   2  \r\n\r\n"
                 " 1 1 5 \r\n% between\r\n2\t2\t-7"),
            expected);
}

TEST_F(MatrixMarket, EntriesOfOnePlaceAddUp) {
  Matrix<double> expected(2, 2);
  expected << 3, 0, 0, 4;
  EXPECT_EQ(read(banner + "coordinate real general\n2 2 3\n1 1 1\n1 1 2\n2 2 4\n"), expected);
  EXPECT_EQ(read(banner + "coordinate real general\n2 2 3\n1 1 1\n2 2 4\n1 1 2\n"), expected);
}

TEST_F(MatrixMarket, Symmetric) {
  Matrix<double> expected(3, 3);
  expected << 1, 2, 0, 2, 0, 3, 0, 3, 4;
  EXPECT_EQ(read(banner + "coordinate real symmetric\n3 3 4\n1 1 1\n2 1 2\n3 2 3\n3 3 4\n"),
            expected);
  EXPECT_EQ(read(banner + "array real symmetric\n3 3\n1\n2\n0\n0\n3\n4\n"), expected);
  expected << 0, 2, -3, -2, 0, 5, 3, -5, 0;  // one column per sample
  EXPECT_EQ(read(banner + "coordinate real skew-symmetric\n3 3 3\n2 1 2\n3 1 -3\n3 2 5\n"),
            expected);
  EXPECT_EQ(read(banner + "array integer skew-symmetric\n3 3\n2\n-3\n5\n"), expected);
}

TEST_F(MatrixMarket, Array) {
  const Matrix<double> V = sparse_samples(6, 9);
  std::string text = banner + "array real general\n9 6\n";
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 9; ++j) text += std::to_string(V(i, j)) + "\n";
  EXPECT_EQ(read(text), V);
  EXPECT_EQ(open_reader<double>(file(text))->access(), Access::random);
  expect_refused(text + "1\n", {"line 57", "one too many", "54"});
  expect_refused(text.substr(0, text.size() - 9), {"ends after 53 of 54"});
}

TEST_F(MatrixMarket, NothingInIt) {
  EXPECT_EQ(read(banner + "coordinate real general\n3 2 0\n"), Matrix<double>::Zero(2, 3));
  EXPECT_EQ(read(banner + "coordinate real general\n0 2 0\n").cols(), 0);
  expect_refused("", {"does not begin with %%MatrixMarket"});
  expect_refused("1 2 3\n", {"does not begin with %%MatrixMarket"});
  expect_refused(banner + "coordinate real general\n% only\n", {"before the line with its sizes"});
  expect_unreadable(folder / "none.mtx", {"No such file"});
}

TEST_F(MatrixMarket, KindsThatCannotBeRead) {
  expect_refused(banner + "coordinate complex general\n1 1 1\n1 1 1 1\n",
                 {"line 1", "\"complex\""});
  expect_refused(banner + "coordinate complex hermitian\n1 1 0\n", {"line 1", "\"complex\""});
  expect_refused(banner + "coordinate real hermitian\n1 1 0\n", {"line 1", "\"hermitian\""});
  expect_refused(banner + "array pattern general\n1 1\n", {"line 1", "\"pattern\""});
  expect_refused(banner + "list real general\n1 1 0\n", {"line 1", "\"list\""});
  expect_refused("%%MatrixMarket vector array real general\n1\n", {"line 1", "\"vector\""});
  expect_refused(banner + "\n1 1 0\n", {"line 1", "\"\""});
}

TEST_F(MatrixMarket, SizesThatCannotBe) {
  const std::string head = banner + "coordinate real general\n";
  for (const char* sizes : {"3 3", "3 3 x", "-1 3 1", "3 3 1 1", "3 3 99999999999999999999", "a"})
    expect_refused(head + sizes + "\n1 1 1\n", {"line 2 should have three sizes"});
  expect_refused(banner + "array real general\n3 3 3\n", {"line 2 should have two sizes"});
  expect_refused(head + "3 0 0\n", {"line 2", "3×0", "not possible"});
  expect_refused(head + "3 4000000000 1\n1 1 1\n", {"line 2", "not possible"});
  expect_refused(head + "9000000000000000000 3 1\n1 1 1\n", {"line 2", "not possible"});
  expect_refused(head + "3 3 9000000000000000000\n1 1 1\n", {"line 2", "more than the file has"});
  expect_refused(banner + "array real general\n4000000000 200000000\n1\n",
                 {"line 2", "more than the file has"});
  expect_refused(banner + "coordinate real symmetric\n3 4 0\n", {"line 2", "square"});
}

TEST_F(MatrixMarket, SaysWhatIsWrongAndWhere) {
  const std::string head = banner + "coordinate real general\n%\n3 4 2\n1 1 5\n";
  expect_refused(head + "4 1 1\n", {": line 5", "(4, 1)", "outside the 3×4 matrix"});
  expect_refused(head + "1 5 1\n", {"line 5", "(1, 5)"});
  expect_refused(head + "0 1 1\n", {"line 5", "(0, 1)"});
  expect_refused(head + "1 -1 1\n", {"line 5", "(1, -1)"});
  expect_refused(head + "1 2\n", {R"(line 5 should be "row column value", not "1 2")"});
  expect_refused(head + "1 2 x\n", {"line 5 should be"});
  expect_refused(head + "1 2 3 4\n", {"line 5 should be"});
  expect_refused(head + "1.5 2 3\n", {"line 5 should be"});
  expect_refused(head + "\x01\x02 2 3\n", {"line 5", "\\x01\\x02"});
  expect_refused(head + "% more to come\n", {"ends after 1 of 2 entries"});
  expect_refused(head, {"line 3 announces 2 entries, more than"});
  expect_refused(head + "2 2 2\n3 3 3\n", {"line 6 is one too many"});
  expect_refused(head + std::string(600000, '1'), {"line 5 is longer than"});
  expect_refused(banner + "array real general\n2 1\n1\nx\n", {"line 4 should be a number"});
  expect_refused(banner + "coordinate real symmetric\n3 3 1\n1 2 1\n", {"line 3", "above"});
  expect_refused(banner + "coordinate real skew-symmetric\n3 3 1\n1 1 1\n",
                 {"line 3", "not below"});
}

TEST_F(MatrixMarket, CutAnywhereItIsRefused) {
  const Matrix<double> V = sparse_samples(4, 12);
  std::vector<Listed> entries = listed(V);
  for (int order = 0; order < 2; ++order, std::ranges::reverse(entries)) {
    const std::string text = coordinate_text(V, entries);
    // Within the last number, which may be a shorter one, nobody can tell.
    const std::size_t last = text.rfind(' ') + 1;
    for (std::size_t n = 0; n <= last; ++n) {
      file(text.substr(0, n));
      EXPECT_THROW(read_file(folder / "m.mtx"), FileError) << n << " of " << text.size();
    }
  }
}

TEST_F(MatrixMarket, DamagedAnywhereItIsReadOrRefused) {
  const Matrix<double> V = sparse_samples(4, 12);
  const std::string text = coordinate_text(V, listed(V));
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = text;
    damaged[random() % text.size()] = char(random());
    try {
      read(damaged);
    } catch (const FileError&) {
    }
  }
}

TEST_F(MatrixMarket, LeavesNoTemporaryFiles) {
  std::filesystem::create_directory(folder / "tmp");
  const char* const before = std::getenv("TMPDIR");
  const std::string usual = before == nullptr ? "/tmp" : before;
  ::setenv("TMPDIR", (folder / "tmp").c_str(), 1);
  const Matrix<double> V = sparse_samples(31, 100);
  std::vector<Listed> entries = listed(V);
  std::ranges::reverse(entries);
  const auto reader = open_matrix_market<double>(file(coordinate_text(V, entries)), 100);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
  std::filesystem::remove(folder / "tmp");
  expect_file_error([&] { open_reader<double>(folder / "m.mtx"); }, "", {"TMPDIR"});
  ::setenv("TMPDIR", usual.c_str(), 1);
}

TEST(EntrySorter, ByRowThenColumn) {
  std::mt19937 random(1);
  for (const Index run : {1, 3, 1000, 5000}) {
    EntrySorter sorter(run);
    double sum = 0;
    for (int i = 0; i < 3000; ++i) {
      const MatrixEntry entry{std::uint32_t(random() % 100), std::uint32_t(random() % 100),
                              double(random() % 8)};
      sum += entry.value;
      sorter.add(entry);
    }
    SortedEntries sorted = sorter.finish();
    MatrixEntry last, entry;
    int n = 0;
    for (; sorted.next(entry); last = entry, ++n) {
      EXPECT_LE(std::pair(last.row, last.column), std::pair(entry.row, entry.column));
      sum -= entry.value;
    }
    EXPECT_EQ(n, 3000);
    EXPECT_EQ(sum, 0);
  }
  SortedEntries none = EntrySorter().finish();
  MatrixEntry entry;
  none.seek(0);
  EXPECT_FALSE(none.next(entry));
}

}  // namespace
}  // namespace tamis::test
