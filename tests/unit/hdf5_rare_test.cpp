// HDF5 files that are valid, though hardly any program writes such: read as they are.
#include "support/hdf5_claims.hpp"

namespace tamis::test {
namespace {

class Hdf5Rare : public Hdf5Claims {
 protected:
  static H5::FileAccPropList newest() {
    H5::FileAccPropList access;
    access.setLibverBounds(H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    return access;
  }
};

// Without room for attributes a header goes on elsewhere with the first of them, and takes its
// shape along, if that is short: what begins with it looks like another header.
TEST_F(Hdf5Rare, HeadersThatGoOnWithTheShape) {
  const Sizes nine{9}, hundred{100};
  edit([&](H5::H5File& file) {
    H5::DSetCreatPropList properties;
    H5Pset_dset_no_attrs_hint(properties.getId(), true);
    const auto dataset =
        file.createDataSet("data", H5::PredType::NATIVE_DOUBLE, {1, nine.data()}, properties);
    file.createDataSet("other", H5::PredType::NATIVE_DOUBLE, H5::DataSpace());
    const std::string name(36, 'a');
    dataset.createAttribute(name, H5::PredType::NATIVE_INT64, H5::DataSpace());
    H5Arename(dataset.getId(), name.c_str(), "a");
    dataset.createAttribute("b", H5::PredType::NATIVE_INT64, {1, hundred.data()});
  });
  expect_file_error([&] { read_file(path + ":/data"); }, path, {"an array of 1 dimension"});
}

// The example in the manual of the N-bit filter
TEST_F(Hdf5Rare, RealNumbersBehindUnusedBits) {
  for (const bool packed : {false, true}) {
    std::filesystem::remove(path);
    edit([&](H5::H5File& file) {
      H5::FloatType type(H5::PredType::IEEE_F32LE);
      type.setFields(26, 20, 6, 7, 13);
      type.setOffset(7);
      type.setPrecision(20);
      type.setSize(4);
      type.setEbias(31);
      const Sizes shape{6, 2};
      H5::DSetCreatPropList properties;
      properties.setChunk(2, shape.data());
      if (packed) properties.setNbit();
      const std::vector<double> values(12, 0.5);
      file.createDataSet("data", type, {2, shape.data()}, properties)
          .write(values.data(), H5::PredType::NATIVE_DOUBLE);
    });
    EXPECT_EQ(read_file(path), Matrix<double>::Constant(2, 6, 0.5)) << packed;
  }
}

// Only the last chunk of a list that may grow
TEST_F(Hdf5Rare, HardlyWritten) {
  const Sizes shape{300000, 2}, most{H5S_UNLIMITED, 2}, chunk{1, 2}, last{299999, 0};
  {
    const H5::H5File file(path, H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT, newest());
    H5::DSetCreatPropList properties;
    properties.setChunk(2, chunk.data());
    const auto dataset = file.createDataSet("data", H5::PredType::NATIVE_DOUBLE,
                                            {2, shape.data(), most.data()}, properties);
    const H5::DataSpace there = dataset.getSpace();
    there.selectHyperslab(H5S_SELECT_SET, chunk.data(), last.data());
    const std::vector<double> values(2, 0.5);
    dataset.write(values.data(), H5::PredType::NATIVE_DOUBLE, {2, chunk.data()}, there);
  }
  EXPECT_LT(std::filesystem::file_size(path), 100000U);
  const Matrix<double> V = read_file(path);
  EXPECT_EQ(V.rightCols(1), Matrix<double>::Constant(2, 1, 0.5));
  EXPECT_EQ(V.sum(), 1);
}

// Of samples of 64 MB at most, which the file need not have
TEST_F(Hdf5Rare, NeverWritten) {
  constexpr hsize_t features = 4000000;
  for (const Sizes& chunk : {Sizes{1, features}, Sizes{1, 4000}}) {
    std::filesystem::remove(path);
    const auto create = [&](const std::string& name, hsize_t factor) {
      edit([&](H5::H5File& file) {
        const Sizes shape{2, features * factor}, sizes{chunk[0], chunk[1] * factor};
        H5::DSetCreatPropList properties;
        properties.setChunk(2, sizes.data());
        file.createDataSet(name, H5::PredType::NATIVE_FLOAT, {2, shape.data()}, properties);
      });
    };
    create("data", 1);
    EXPECT_EQ(read_file(path), Matrix<double>::Zero(features, 2));
    create("larger", 100);
    expect_file_error([&] { read_file(path + ":/larger"); }, path, {"more than the file can hold"});
  }
}

}  // namespace
}  // namespace tamis::test
