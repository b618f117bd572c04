// .npy files and their headers; codes and outliers written by rows.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "io/npy_header.hpp"
#include "support/temporary_folder.hpp"
#include "tamis/error.hpp"
#include "tamis/io/reader.hpp"
#include "tamis/io/writer.hpp"
#include "tamis/io/writer_sink.hpp"

namespace tamis {
namespace {

class NpyFiles : public ::testing::Test {
 protected:
  // A version 1 file with this dictionary and these values
  template <class Value>
  std::string write(const std::string& dictionary, const std::vector<Value>& values) {
    std::string header = dictionary;
    header.resize(117, ' ');
    header += '\n';
    std::ofstream file(path_, std::ios::binary);
    file << npy_magic << '\x01' << '\0' << char(header.size()) << '\0' << header;
    file.write(reinterpret_cast<const char*>(values.data()),
               std::streamsize(values.size() * sizeof(Value)));
    return path_;
  }
  Matrix<double> read_all(Index n) {
    const auto reader = open_reader<double>(path_);
    Matrix<double> V(reader->format().features(), n + 1);
    EXPECT_EQ(reader->read(V), n);
    return V.leftCols(n);
  }
  std::string message() {
    try {
      open_reader<float>(path_);
    } catch (const FileError& error) {
      return error.what();
    }
    return {};
  }

  test::TemporaryFolder folder_;
  std::string path_ = folder_ / "x.npy";
};

TEST_F(NpyFiles, FortranOrderOfThreeDimensions) {
  // a[s, i, j] = 100s + 10i + j, shape (2, 2, 3): the first index runs fastest
  std::vector<float> values;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 2; ++i)
      for (int s = 0; s < 2; ++s) values.push_back(float(100 * s + 10 * i + j));
  write("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2, 3), }", values);
  Matrix<double> expected(6, 2);
  expected.col(0) << 0, 1, 2, 10, 11, 12;
  expected.col(1) << 100, 101, 102, 110, 111, 112;
  EXPECT_EQ(read_all(2), expected);
  const auto reader = open_reader<double>(path_);
  EXPECT_EQ(reader->format().shape, (std::vector<Index>{2, 3}));
  reader->seek(1);
  Matrix<double> V(6, 1);
  EXPECT_EQ(reader->read(V), 1);
  EXPECT_EQ(V, expected.col(1));
}

TEST_F(NpyFiles, IntegersAreDividedByTheirLargestValue) {
  write<std::uint8_t>("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2), }", {0, 255});
  EXPECT_EQ(read_all(1), (Matrix<double>(2, 1) << 0, 1).finished());
  write<std::uint16_t>("{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2), }", {0, 65535});
  EXPECT_EQ(read_all(1), (Matrix<double>(2, 1) << 0, 1).finished());
  write<std::uint8_t>("{'descr': '|b1', 'fortran_order': False, 'shape': (1, 2), }", {0, 1});
  EXPECT_EQ(read_all(1), (Matrix<double>(2, 1) << 0, 1).finished());
}

TEST_F(NpyFiles, RefusesWhatIsNoArrayOfSamples) {
  const auto refused = [&](const std::string& dictionary, const char* word) {
    write<double>(dictionary, {1, 2, 3, 4});
    EXPECT_NE(message().find(word), std::string::npos) << message();
    EXPECT_NE(message().find(path_), std::string::npos) << message();
  };
  refused("{'descr': '<i8', 'fortran_order': False, 'shape': (2, 2), }", "astype");
  refused("{'descr': '>f8', 'fortran_order': False, 'shape': (2, 2), }", "little-endian");
  refused("{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }", "at least two");
  refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", "cut short");
  refused("{'descr': '<f8', 'fortran_order': False, 'shape': (-2, 2), }", "not possible");
  refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 0), }", "not possible");
  refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 10000000000, 10), }",
          "not possible");
  refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2 x 2), }", "shape");
  refused("{'descr': '<f8', 'fortran_order': False, }", "'shape'");
  std::ofstream(path_) << "nothing of the kind";
  EXPECT_NE(message().find("not a .npy"), std::string::npos);
}

TEST_F(NpyFiles, ACutAnywhereIsNoticed) {
  write<double>("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", {1, 2, 3, 4});
  std::ifstream file(path_, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    std::ofstream(path_, std::ios::binary) << bytes.substr(0, n);
    EXPECT_FALSE(message().empty()) << n << " of " << bytes.size() << " bytes";
  }
}

TEST_F(NpyFiles, RowsAreWrittenInAnyOrderAndCanBeGoneOnWith) {
  const Matrix<float> X = Matrix<float>::Random(3, 6);
  const std::vector<Index> first{4, 0, 1}, second{5, 2, 3};
  const WriterOptions options{.format = {.shape = {3}}};
  const std::string path = folder_ / "rows.npy";
  std::string state;
  {
    const auto writer = open_writer<float>(path, options);
    writer->write(X.leftCols(3), {.order = first});
    state = writer->state();
  }
  EXPECT_THROW(open_reader<float>(path), FileError) << "nothing under its name yet";
  const auto writer = open_writer<float>(path, options);
  writer->resume(state);
  writer->write(X.rightCols(3), {.order = second});
  writer->finish();
  const auto reader = open_reader<float>(path);
  Matrix<float> Y(3, 6);
  ASSERT_EQ(reader->read(Y), 6);
  for (Index j = 0; j < 3; ++j) {
    EXPECT_EQ(Y.col(first[std::size_t(j)]), X.col(j));
    EXPECT_EQ(Y.col(second[std::size_t(j)]), X.col(3 + j));
  }
  EXPECT_THROW(open_writer<float>(path, options), FileError) << "it exists";
}

TEST_F(NpyFiles, WithoutAnEndThereIsNoFile) {
  const std::string path = folder_ / "rows.npy";
  open_writer<float>(path, {.format = {.shape = {3}}})->write(Matrix<float>::Ones(3, 2), {});
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST_F(NpyFiles, ASinkThatDidNotWriteCannotGoOn) {
  const WriterOptions options{.format = {.shape = {2}}};
  WriterSink<float> sink(open_writer<float>(folder_ / "h.npy", options), nullptr, 0);
  EXPECT_THROW(sink.resume(""), DataError);
  EXPECT_THROW(sink.resume("{\"outliers\": \"3\"}"), DataError);
  EXPECT_THROW(sink.resume("not JSON"), DataError);
}

}  // namespace
}  // namespace tamis
