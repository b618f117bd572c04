// Arrays in HDF5 files as outputs.
#include <H5Cpp.h>
#include <gtest/gtest.h>

#include "support/sample_files.hpp"
#include "support/temporary_folder.hpp"

namespace tamis::test {
namespace {

using Sizes = std::vector<hsize_t>;

class Hdf5Output : public ::testing::Test {
 protected:
  Hdf5Output() : path(folder / "x.h5") {}

  TemporaryFolder folder;
  std::string path;
};

template <class T>
Matrix<T> random_rows(Index F, Index n) {
  return Matrix<T>::Random(F, n).cwiseAbs();
}

TEST_F(Hdf5Output, RoundTrips) {
  const Matrix<double> X = random_rows<double>(12, 33);
  for (const ElementType type :
       {ElementType::u8, ElementType::u16, ElementType::f32, ElementType::f64}) {
    const SampleFormat format{.shape = {3, 4}, .type = type, .unit = unit_of(type)};
    const std::string name = folder / (std::string(name_of(type)) + ".h5:/deep/er");
    write_file(name, X, {.format = format});
    const auto reader = open_reader<double>(name);
    EXPECT_EQ(reader->format().shape, format.shape);
    EXPECT_EQ(reader->format().type, type);
    const double error = (read_file(name) - X).cwiseAbs().maxCoeff();
    EXPECT_LE(error, type == ElementType::f64   ? 0
                     : type == ElementType::f32 ? 1e-7
                                                : 0.51 / unit_of(type));
  }
  EXPECT_EQ(folder.entries(), 4);
}

TEST_F(Hdf5Output, WrittenInChunksThatOthersCanAppendTo) {
  write_file(path, Matrix<float>(Matrix<float>::Zero(1000, 500)), {.format = {.shape = {1000}}});
  EXPECT_LT(std::filesystem::file_size(path), 100000u) << "not compressed";
  const H5::H5File file(path, H5F_ACC_RDONLY);
  const H5::DataSet dataset = file.openDataSet("data");
  Sizes sizes(2), most(2);
  dataset.getSpace().getSimpleExtentDims(sizes.data(), most.data());
  EXPECT_EQ(sizes, (Sizes{500, 1000}));
  EXPECT_EQ(most[0], H5S_UNLIMITED);
}

TEST_F(Hdf5Output, LongRowsAreDivided) {
  Matrix<float> X = Matrix<float>::Zero(5000000, 2);
  for (Index i = 0; i < X.size(); i += 1009) X.data()[i] = float(i);
  write_file(path, X, {.format = {.shape = {5, 1000000}}});
  EXPECT_EQ(read_file<float>(path), X);
}

TEST_F(Hdf5Output, RowsInAnyOrder) {
  const Matrix<float> X = random_rows<float>(4, 6);
  const std::vector<Index> order{5, 0, 1, 4, 2, 3};
  const auto writer = open_writer<float>(path, {.format = {.shape = {4}}});
  writer->write(Matrix<float>::Zero(4, 6), Rows{});
  writer->write(X, Rows{.order = order});
  writer->finish();
  const Matrix<float> again = read_file<float>(path);
  for (Index j = 0; j < 6; ++j) EXPECT_EQ(again.col(order[std::size_t(j)]), X.col(j));
}

TEST_F(Hdf5Output, WriterGoesOnWhereItStopped) {
  const Matrix<double> X = random_rows<double>(3, 10);
  const WriterOptions options{.format = {.shape = {3}, .type = ElementType::f64}};
  std::string state;
  {
    const auto writer = open_writer<double>(path + ":/R", options);
    writer->write(X.leftCols(4), Rows{});
    state = writer->state();
    writer->write(X.rightCols(5), Rows{.first = 7});  // after the checkpoint: lost
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  {
    const auto writer = open_writer<double>(path + ":/R", options);
    writer->resume(state);
    writer->write(X.rightCols(6), Rows{.first = 4});
    writer->finish();
  }
  EXPECT_EQ(read_file(path + ":/R"), X);
  EXPECT_EQ(folder.entries(), 1);
}

TEST_F(Hdf5Output, WriterRefusesToGoOnWithoutItsRows) {
  const WriterOptions options{.format = {.shape = {3}, .type = ElementType::f64}};
  const auto resume = [&](const std::string& state) {
    open_writer<double>(path, options)->resume(state);
  };
  expect_file_error([&] { resume("4"); }, path, {"cannot be written"});
  write_bytes(path + ".rows.part", "too short");
  expect_file_error([&] { resume("4"); }, path, {"lost"});
  for (const char* state : {"", "x", "-1", "4 4"})
    expect_file_error([&, state] { resume(state); }, path, {"another kind"});
  EXPECT_TRUE(std::filesystem::exists(path + ".rows.part")) << "what was written is gone";
}

TEST_F(Hdf5Output, UnfinishedOrRefusedLeavesNothing) {
  const WriterOptions options{.format = {.shape = {3}}};
  {
    const auto writer = open_writer<float>(path, options);
    writer->write(random_rows<float>(3, 2), Rows{});
  }
  EXPECT_EQ(folder.entries(), 0);
  write_bytes(path, "something");
  expect_file_error([&] { open_writer<float>(path + ":/x", options); }, path, {"exists already"});
  EXPECT_EQ(read_bytes(path), "something");
  expect_file_error([&] { open_writer<float>(folder / "no/x.h5", options); }, folder / "no/x.h5",
                    {"no folder"});
}

TEST_F(Hdf5Output, OneOutputPerFile) {
  const WriterOptions options{.format = {.shape = {3}}};
  const auto codes = open_writer<float>(path + ":/codes", options);
  codes->write(random_rows<float>(3, 2), Rows{});
  expect_file_error([&] { open_writer<float>(path + ":/outliers", options); }, path,
                    {"already being written"});
  codes->finish();
  EXPECT_EQ(read_file(path).cols(), 2) << "the refused one removed the rows of the other";
}

}  // namespace
}  // namespace tamis::test
