// Arrays in HDF5 files: which one is meant, and what is refused.
#include <H5Cpp.h>
#include <gtest/gtest.h>

#include "support/kit.hpp"
#include "support/sample_files.hpp"
#include "support/temporary_folder.hpp"
#include "tamis/io/prefetch.hpp"

namespace tamis::test {
namespace {

using Sizes = std::vector<hsize_t>;

class Hdf5Array : public ::testing::Test {
 protected:
  Hdf5Array() : path(folder / "x.h5") { H5::Exception::dontPrint(); }

  // An array of 0, 1, 2, … modulo 251 of any type, perhaps in a group, perhaps in chunks.
  void add(const std::string& name, const H5::PredType& type, const Sizes& sizes,
           const Sizes& chunk = {}) const {
    const bool there = std::filesystem::exists(path);
    H5::H5File file(path, there ? H5F_ACC_RDWR : H5F_ACC_TRUNC);
    H5::LinkCreatPropList links;
    links.setCreateIntermediateGroup(true);
    H5::DSetCreatPropList properties;
    if (!chunk.empty()) {
      properties.setChunk(int(chunk.size()), chunk.data());
      properties.setDeflate(4);
    }
    const auto dataset =
        file.createDataSet(name, type, H5::DataSpace(int(sizes.size()), sizes.data()), properties,
                           H5::DSetAccPropList::DEFAULT, links);
    hsize_t count = 1;
    for (const hsize_t n : sizes) count *= n;
    std::vector<double> values;
    for (hsize_t i = 0; i < count; ++i) values.push_back(double(i % 251));
    if (count > 0) dataset.write(values.data(), H5::PredType::NATIVE_DOUBLE);
  }

  static Matrix<double> counted(Index F, Index n) {
    Matrix<double> V(F, n);
    for (Index i = 0; i < V.size(); ++i) V.data()[i] = double(i % 251);
    return V;
  }

  TemporaryFolder folder;
  std::string path;
};

TEST_F(Hdf5Array, TheOnlyArray) {
  add("data", H5::PredType::NATIVE_DOUBLE, {7, 5});
  add("one/dimension", H5::PredType::NATIVE_DOUBLE, {7});
  EXPECT_EQ(read_file(path), counted(5, 7));
  EXPECT_EQ(read_file(path + ":/data"), counted(5, 7));
  EXPECT_EQ(read_file(path + ":data"), counted(5, 7));
  EXPECT_EQ(read_file<float>(path), counted(5, 7).cast<float>());
}

// Without a value for them the library would leave what was in memory before.
TEST_F(Hdf5Array, EntriesThatWereNeverWritten) {
  const Sizes sizes{4, 3}, chunk{2, 3}, start{0, 0};
  const double value = 2;
  const std::vector<double> first(6, 5);
  for (const int way : {0, 1, 2, 3}) {
    SCOPED_TRACE(way);
    std::filesystem::remove(path);
    {
      H5::DSetCreatPropList properties;
      properties.setChunk(2, chunk.data());
      if (way == 1) properties.setFillValue(H5::PredType::NATIVE_DOUBLE, &value);
      if (way == 2) H5Pset_fill_value(properties.getId(), H5T_NATIVE_DOUBLE, nullptr);
      if (way == 3) properties.setFillTime(H5D_FILL_TIME_NEVER);
      const H5::H5File file(path, H5F_ACC_TRUNC);
      const H5::DataSpace space(2, sizes.data()), in_memory(2, chunk.data());
      space.selectHyperslab(H5S_SELECT_SET, chunk.data(), start.data());
      file.createDataSet("data", H5::PredType::STD_I32BE, space, properties)
          .write(first.data(), H5::PredType::NATIVE_DOUBLE, in_memory, space);
    }
    Matrix<double> V = Matrix<double>::Constant(3, 4, 77);
    EXPECT_EQ(open_reader<double>(path)->read(V), 4);
    EXPECT_EQ(V.leftCols(2), Matrix<double>::Constant(3, 2, 5));
    EXPECT_EQ(V.rightCols(2), Matrix<double>::Constant(3, 2, way == 1 ? 2 : 0));
  }
}

TEST_F(Hdf5Array, NamesOfFiles) {
  add("a/b", H5::PredType::NATIVE_DOUBLE, {7, 5});
  const std::string other = folder / "Y.HDF5";
  std::filesystem::copy(path, other);
  EXPECT_EQ(read_file(other + ":/a/b").cols(), 7);
  EXPECT_EQ(read_file(path + ":/a/b/").cols(), 7);
  EXPECT_EQ(read_file(path + ":/").cols(), 7);
  const std::string colon = folder / "at:noon.h5";
  std::filesystem::copy(path, colon);
  EXPECT_EQ(read_file(colon + ":/a/b").cols(), 7);
}

TEST_F(Hdf5Array, WhichOneIsMeantMustBeClear) {
  add("first", H5::PredType::NATIVE_FLOAT, {2, 5});
  add("group/second", H5::PredType::NATIVE_FLOAT, {3, 5});
  expect_unreadable(path, {"which array", ":/name", "/first, /group/second"});
  EXPECT_EQ(read_file(path + ":/group/second").cols(), 3);
  expect_file_error([&] { read_file(path + ":/third"); }, path,
                    {"no array /third", "/first, /group/second"});
  expect_file_error([&] { read_file(path + ":/group"); }, path, {"no array /group"});
  expect_file_error([&] { read_file(path + ":/group/second/x"); }, path, {"no array"});
}

TEST_F(Hdf5Array, WhatIsNoArrayOfSamples) {
  add("line", H5::PredType::NATIVE_FLOAT, {9});
  expect_unreadable(path, {"no array of numbers with samples as rows", "there are /line"});
  expect_file_error([&] { read_file(path + ":/line"); }, path + ":/line",
                    {"1 dimension;", "n_samples"});
  {
    H5::H5File file(path, H5F_ACC_RDWR);
    const Sizes sizes{2, 3};
    file.createDataSet("text", H5::StrType(H5::PredType::C_S1, 4), H5::DataSpace(2, sizes.data()));
    file.createDataSet("number", H5::PredType::NATIVE_INT, H5::DataSpace());
    const Sizes none{4, 0};
    file.createDataSet("none", H5::PredType::NATIVE_INT, H5::DataSpace(2, none.data()));
  }
  expect_file_error([&] { read_file(path + ":/text"); }, path + ":/text", {"not an array of num"});
  expect_file_error([&] { read_file(path + ":/number"); }, path + ":/number", {"0 dimensions"});
  expect_file_error([&] { read_file(path + ":/none"); }, path + ":/none", {"4x0 is not possible"});
  { H5::H5File(path, H5F_ACC_TRUNC); }
  expect_unreadable(path, {"there are none"});
}

TEST_F(Hdf5Array, TypesAndUnits) {
  const auto expect = [&](const char* name, const H5::PredType& type, ElementType as, double unit) {
    add(name, type, {6, 4});
    const auto reader = open_reader<double>(path + ":/" + name);
    EXPECT_EQ(reader->format().type, as) << name;
    EXPECT_EQ(reader->format().unit, unit) << name;
    Matrix<double> V(4, 6);
    EXPECT_EQ(reader->read(V), 6);
    EXPECT_EQ(V, counted(4, 6) / unit) << name;
  };
  expect("u8", H5::PredType::STD_U8LE, ElementType::u8, 255);
  expect("u16", H5::PredType::STD_U16BE, ElementType::u16, 65535);
  expect("i8", H5::PredType::STD_I8LE, ElementType::f64, 1);
  expect("i16", H5::PredType::STD_I16LE, ElementType::f64, 1);
  expect("i32", H5::PredType::STD_I32BE, ElementType::f64, 1);
  expect("u64", H5::PredType::STD_U64LE, ElementType::f64, 1);
  expect("f32", H5::PredType::IEEE_F32LE, ElementType::f32, 1);
  expect("f64", H5::PredType::IEEE_F64BE, ElementType::f64, 1);
}

TEST_F(Hdf5Array, ImagesKeepTheirShape) {
  add("images", H5::PredType::STD_U8LE, {10, 4, 6, 3}, {3, 2, 4, 3});
  const auto reader = open_reader<double>(path);
  EXPECT_EQ(reader->format().shape, (std::vector<Index>{4, 6, 3}));
  EXPECT_EQ(reader->samples(), 10);
  EXPECT_EQ(reader->access(), Access::random);
  EXPECT_EQ(read_file(path), counted(72, 10) / 255);
}

TEST_F(Hdf5Array, AnySampleAtAnyTime) {
  add("data", H5::PredType::NATIVE_FLOAT, {100, 7}, {9, 4});
  const Matrix<double> expected = counted(7, 100);
  const auto reader = open_reader<double>(path);
  Matrix<double> V(9, 8);
  for (const Index at : {50, 0, 99, 3, 93}) {
    reader->seek(at);
    const Index n = std::min<Index>(8, 100 - at);
    EXPECT_EQ(reader->read(V.topRows(7)), n) << "columns apart";
    EXPECT_EQ(V.topLeftCorner(7, n), expected.middleCols(at, n));
  }
  reader->seek(100);
  EXPECT_EQ(reader->read(V.topRows(7)), 0);
  ReaderSource<double> source(open_reader<double>(path), {.repeat = 2});
  const Matrix<double> shuffled = all_samples(source, {.shuffle = true, .seed = 1});
  EXPECT_EQ(shuffled.cols(), 200);
  EXPECT_NE(shuffled.leftCols(100), expected);
  EXPECT_EQ(shuffled.sum(), 2 * expected.sum());
}

TEST_F(Hdf5Array, ModelsAreNotSamples) {
  Trainer<double> trainer(plain_settings(2));
  trainer.fit(Matrix<double>::Random(6, 20).cwiseAbs());
  trainer.save(path);
  expect_unreadable(path, {"a tamis model, not samples", ":/W"});
  EXPECT_EQ(read_file(path + ":/W"), trainer.model().W);
}

TEST_F(Hdf5Array, BesideAModelInAnotherThread) {
  add("data", H5::PredType::NATIVE_FLOAT, {500, 30}, {10, 30});
  ReaderSource<double> source(open_reader<double>(path));
  PrefetchSource<double> ahead(source);
  ahead.start({});
  Trainer<double> trainer(plain_settings(2));
  trainer.fit(Matrix<double>::Random(6, 20).cwiseAbs());
  Index n = 0;
  SampleBlock<double> block;
  while (ahead.read(5, block)) {
    n += block.V.cols();
    trainer.save(folder / "model.h5");
  }
  EXPECT_EQ(n, 500);
}

TEST_F(Hdf5Array, DamagedFiles) {
  add("data", H5::PredType::NATIVE_FLOAT, {60, 50}, {10, 50});
  const std::string whole = read_bytes(path);
  for (std::size_t k = 0; k < 60; ++k) {
    write_bytes(path, whole.substr(0, whole.size() * k / 60));
    expect_unreadable(path, {"not a readable HDF5 file"});
  }
  write_bytes(path, "1,2\n3,4\n");
  expect_unreadable(path, {"not a readable HDF5 file"});
  expect_unreadable(folder / "none.h5", {"no such file"});
  expect_file_error([&] { read_file(folder / "none.h5:/x"); }, folder / "none.h5", {"no such"});
}

TEST_F(Hdf5Array, DamagedChunksAreNoticed) {
  add("data", H5::PredType::NATIVE_FLOAT, {60, 50}, {10, 50});
  haddr_t offset = 0;
  hsize_t size = 0;
  {
    const H5::H5File file(path, H5F_ACC_RDONLY);
    unsigned mask = 0;
    const H5::DataSet dataset = file.openDataSet("data");
    Sizes place(2);
    ASSERT_GE(H5Dget_chunk_info(dataset.getId(), dataset.getSpace().getId(), 3, place.data(), &mask,
                                &offset, &size),
              0);
  }
  std::string bytes = read_bytes(path);
  for (std::size_t i = 0; i < 40; ++i) bytes[offset + 10 + i] = char(~bytes[offset + 10 + i]);
  write_bytes(path, bytes);
  expect_unreadable(path, {"it may be damaged"});
}

TEST_F(Hdf5Array, ImpossibleSizesAreRefusedBeforeTheyAreAllocated) {
  const auto claim = [&](const Sizes& sizes) {
    H5::H5File file(path, H5F_ACC_TRUNC);
    H5::DSetCreatPropList properties;
    const Sizes chunk{1, 1 << 15};
    properties.setChunk(int(chunk.size()), chunk.data());
    file.createDataSet("data", H5::PredType::NATIVE_UINT8,
                       H5::DataSpace(int(sizes.size()), sizes.data()), properties);
  };
  claim({3, hsize_t(1) << 60});
  expect_unreadable(path, {"not possible"});
  claim({hsize_t(1) << 40, hsize_t(1) << 20});
  expect_unreadable(path, {"not possible"});
  claim({3, hsize_t(1) << 40});
  expect_unreadable(path, {"more than the file can hold"});
}

}  // namespace
}  // namespace tamis::test
