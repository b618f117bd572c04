// Whole HDF5 files, by the library itself: sound ones are read, in damaged ones it reads nowhere
// where nothing is.
#include <H5Cpp.h>
#include <gtest/gtest.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#include "support/kit.hpp"
#include "support/random_data.hpp"
#include "support/sample_files.hpp"
#include "support/temporary_folder.hpp"

namespace tamis::test {
namespace {

class Hdf5HeaderFile : public ::testing::TestWithParam<bool> {
 protected:
  Hdf5HeaderFile() { H5::Exception::dontPrint(); }

  static H5::FileAccPropList access() {
    H5::FileAccPropList access;
    if (GetParam()) access.setLibverBounds(H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    return access;
  }

  static H5::EnumType truth() {
    H5::EnumType type(H5::PredType::NATIVE_INT8);
    for (std::int8_t i = 0; const char* name : {"FALSE", "TRUE"}) type.insert(name, &i), ++i;
    return type;
  }

  void write(const std::string& name, const H5::DataType& type,
             const H5::DSetCreatPropList& properties = {}) const {
    const bool there = std::filesystem::exists(path);
    const H5::H5File file(path, there ? H5F_ACC_RDWR : H5F_ACC_TRUNC,
                          H5::FileCreatPropList::DEFAULT, access());
    const hsize_t sizes[] = {4, 3};
    const H5::DataSet dataset = file.createDataSet(name, type, H5::DataSpace(2, sizes), properties);
    std::vector<std::int8_t> values(12);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::int8_t(i % 2);
    if (type.getClass() == H5T_ENUM)
      dataset.write(values.data(), truth());
    else
      dataset.write(values.data(), H5::PredType::NATIVE_INT8);
    // Many attributes: the header goes on elsewhere.
    for (int i = 0; i < 6; ++i)
      dataset.createAttribute("attribute " + std::to_string(i), H5::PredType::NATIVE_DOUBLE,
                              H5::DataSpace(2, sizes));
  }

  static Matrix<double> expected() {
    Matrix<double> V(3, 4);
    for (Index i = 0; i < V.size(); ++i) V.data()[i] = double(i % 2);
    return V;
  }

  static H5::DSetCreatPropList chunked() {
    H5::DSetCreatPropList properties;
    const hsize_t chunk[] = {2, 3};
    properties.setChunk(2, chunk);
    return properties;
  }
  static H5::DSetCreatPropList packed() {
    H5::DSetCreatPropList properties = chunked();
    properties.setShuffle();
    properties.setDeflate(2);
    properties.setFletcher32();
    return properties;
  }
  static H5::DSetCreatPropList filled() {
    H5::DSetCreatPropList properties;
    const double value = 7;
    properties.setFillValue(H5::PredType::NATIVE_DOUBLE, &value);
    return properties;
  }

  TemporaryFolder folder;
  std::string path = folder / "x.h5";
};

TEST_P(Hdf5HeaderFile, SoundOnesAreRead) {
  H5::DSetCreatPropList compact;
  H5Pset_layout(compact.getId(), H5D_COMPACT);
  write("float", H5::PredType::NATIVE_FLOAT, packed());
  write("double", H5::PredType::NATIVE_DOUBLE, filled());
  write("big-endian", H5::PredType::STD_I64BE, chunked());
  write("compact", H5::PredType::NATIVE_SHORT, compact);
  write("truth", truth());
  for (const char* name : {"float", "double", "big-endian", "compact", "truth"})
    EXPECT_EQ(read_file(path + ":" + name), expected()) << name;
}

TEST_P(Hdf5HeaderFile, TypesThatHaveANameOfTheirOwn) {
  {
    const H5::H5File file(path, H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT, access());
    H5::IntType type(H5::PredType::NATIVE_INT);
    type.commit(file, "type");
    const hsize_t sizes[] = {4, 3};
    std::vector<int> values(12, 5);
    file.createDataSet("data", type, H5::DataSpace(2, sizes)).write(values.data(), type);
  }
  EXPECT_EQ(read_file(path + ":data"), Matrix<double>::Constant(3, 4, 5));
}

TEST_P(Hdf5HeaderFile, OthersBesideIt) {
  write("data", H5::PredType::NATIVE_DOUBLE);
  {
    const H5::H5File file(path, H5F_ACC_RDWR, H5::FileCreatPropList::DEFAULT, access());
    H5::CompType pair(std::size_t(16));
    pair.insertMember("x", 0, H5::PredType::NATIVE_DOUBLE);
    pair.insertMember("second", 8, H5::PredType::NATIVE_DOUBLE);
    const hsize_t two[] = {2, 2};
    const H5::DataSpace space(2, two);
    file.createDataSet("pairs", pair, space);
    file.createDataSet("texts", H5::StrType(H5::PredType::C_S1, H5T_VARIABLE), space);
    file.createDataSet("arrays", H5::ArrayType(H5::PredType::NATIVE_DOUBLE, 2, two), space);
    for (int i = 0; i < 30; ++i) file.createGroup("a group with a long name " + std::to_string(i));
  }
  EXPECT_EQ(read_file(path), expected());
}

// There nobody has looked at it. With a table, everything is in it that is long enough.
TEST_P(Hdf5HeaderFile, TablesOfSharedMessages) {
  const hsize_t sizes[] = {4, 3};
  for (const unsigned least : {1U, 10000U}) {
    {
      H5::FileCreatPropList properties;
      H5Pset_shared_mesg_nindexes(properties.getId(), 1);
      H5Pset_shared_mesg_index(properties.getId(), 0, H5O_SHMESG_ALL_FLAG, least);
      const H5::H5File file(path, H5F_ACC_TRUNC, properties, access());
      for (const char* name : {"data", "more"})
        file.createDataSet(name, H5::PredType::NATIVE_DOUBLE, H5::DataSpace(2, sizes));
    }
    if (least == 1)
      expect_file_error([&] { read_file(path + ":/other"); }, path,
                        {"/more (damaged, or of a kind that is not read)",
                         "a table of shared messages", "h5repack"});
    else
      EXPECT_EQ(read_file(path + ":more"), Matrix<double>::Zero(3, 4));
  }
}

// Whatever byte is changed: an answer or an error, but the library reads nowhere else, which
// AddressSanitizer would see. New files have checksums, so that few changes get through to it. It
// forgets memory when a file is damaged.
TEST_P(Hdf5HeaderFile, AnyByteMayBeWrong) {
#if defined(__SANITIZE_ADDRESS__)
  const __lsan::ScopedDisabler forgetful;
#endif
  if (GetParam())
    write("data", H5::PredType::NATIVE_FLOAT, packed());
  else
    write("data", truth());
  const std::string bytes = read_bytes(path);
  const std::vector<int> values =
      judge::small_effort() ? std::vector{2, 0xff} : std::vector{0, 1, 2, 0x7f, 0xff};
  int errors = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (const int value : values) {
      if (char(value) == bytes[i]) continue;
      std::string changed = bytes;
      changed[i] = char(value);
      write_bytes(path, changed);
      try {
        read_file(path + ":data");
      } catch (const FileError&) {
        ++errors;
      }
    }
  EXPECT_GT(errors, 100);
}

INSTANTIATE_TEST_SUITE_P(Forms, Hdf5HeaderFile, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "new" : "old"; });

}  // namespace
}  // namespace tamis::test
