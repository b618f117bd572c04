// What was refused once stays refused, whichever way leads to it; what lies beside it is read.
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#include "support/hdf5_claims.hpp"
#include "support/hdf5_links.hpp"

namespace tamis::test {
namespace {

using namespace std::literals;

class Hdf5Refusal : public Hdf5Claims {
 protected:
  // Packed, with attributes for which the header goes on elsewhere
  void add(const std::string& name) const {
    edit([&](H5::H5File& file) {
      const Sizes shape{32, 8}, chunk{8, 8};
      const std::vector<double> values(256, 0.5);
      H5::DSetCreatPropList properties;
      properties.setChunk(2, chunk.data());
      const auto dataset =
          file.createDataSet(name, H5::PredType::NATIVE_DOUBLE, {2, shape.data()}, properties);
      dataset.write(values.data(), H5::PredType::NATIVE_DOUBLE);
      for (const char* attribute : {"a", "b", "c"})
        dataset.createAttribute(attribute, H5::PredType::NATIVE_DOUBLE, {2, chunk.data()});
    });
  }
  // Where the first header goes on: in the message of type 16 with 16 bytes
  static std::size_t continuation_of(const std::string& bytes) {
    const std::size_t message = bytes.find("\x10\0\x10\0\0\0\0\0"sv);
    std::size_t at = 0;
    for (std::size_t i = 0; i < 8 && message != std::string::npos; ++i)
      at |= std::size_t(std::uint8_t(bytes[message + 8 + i])) << 8 * i;
    return at;
  }

#if defined(__SANITIZE_ADDRESS__)
  const __lsan::ScopedDisabler forgetful;  // as the library is, when a file is damaged
#endif
};

TEST_F(Hdf5Refusal, OneObjectByTwoNames) {
  add("a");
  edit([](H5::H5File& file) { file.link(H5L_TYPE_HARD, "a", "b"); });
  for (const char* name : {":/a", ":/b"})
    EXPECT_EQ(read_file(path + name), Matrix<double>::Constant(8, 32, 0.5));
  std::string bytes = read_bytes(path);
  const std::size_t at = continuation_of(bytes);
  ASSERT_GT(at, 0U);
  bytes = changed(bytes, at, 11, 2);  // filters, more of them than there are
  write_bytes(path, changed(bytes, at + 9, 200, 1));
  const std::string damaged = " (damaged, or of a kind that is not read)";
  const std::string both = "/a" + damaged + ", /b" + damaged;
  expect_unreadable(path, {"no array of numbers", both});
  for (const char* name : {"a", "b"})
    expect_file_error([&] { read_file(path + ":/" + name); }, path, {"no array /"s + name, both});
}

TEST_F(Hdf5Refusal, OthersBesideIt) {
  for (const char* name : {"a", "group", "other/array"}) {
    SCOPED_TRACE(name);
    std::filesystem::remove(path);
    add("first");
    edit([&](H5::H5File& file) { file.createGroup("other"); });
    add(name);
    std::string bytes = read_bytes(path);
    const std::size_t at = continuation_of(bytes);
    ASSERT_GT(at, 0U);
    bytes = changed(bytes, at, 11, 2);
    write_bytes(path, changed(bytes, at + 9, 200, 1));
    EXPECT_EQ(read_file(path), Matrix<double>::Constant(8, 32, 0.5));
    EXPECT_EQ(read_file(path + ":/" + name), Matrix<double>::Constant(8, 32, 0.5));
  }
}

// Each time all links are looked through again.
TEST_F(Hdf5Refusal, ManyAmongManyLinks) {
  constexpr int damaged = 60, links = 40000;
  std::vector<std::size_t> places;
  {
    H5::FileAccPropList access;
    access.setLibverBounds(H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    const H5::H5File file(path, H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT, access);
    for (int i = 0; i < damaged; ++i) {
      const H5::Group group = file.createGroup("group " + std::to_string(i));
      H5O_info_t info{};
      H5Oget_info(group.getId(), &info);
      places.push_back(std::size_t(info.addr));
    }
    for (int i = 0; i < links; ++i) file.link(H5L_TYPE_SOFT, "nowhere", std::to_string(i));
  }
  std::string bytes = read_bytes(path);
  for (const std::size_t at : places) bytes = changed(bytes, at + 4, 9, 1);  // version
  write_bytes(path, bytes);
  expect_unreadable(path, {"which array?", "/group 1 (damaged", "too many objects"});
}

// What the library left of its memory has headers in it, at which nobody could look.
TEST_F(Hdf5Refusal, ImagesOfTheLibrarysMemory) {
  H5::FileAccPropList access;
  access.setLibverBounds(H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const Sizes shape{4, 3};
  H5::H5File(path, H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT, access)
      .createDataSet("data", H5::PredType::NATIVE_DOUBLE, {2, shape.data()});
  EXPECT_EQ(read_file(path).cols(), 4);
  H5AC_cache_image_config_t image{H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION, true, false, -1};
  H5Pset_mdc_image_config(access.getId(), &image);
  {
    const H5::H5File file(path, H5F_ACC_RDWR, H5::FileCreatPropList::DEFAULT, access);
    file.openDataSet("data").createAttribute("a", H5::PredType::NATIVE_DOUBLE, H5::DataSpace());
  }
  ASSERT_NE(read_bytes(path).find("MDCI"), std::string::npos);
  expect_unreadable(path, {"not a readable HDF5 file", "h5repack"});
}

}  // namespace
}  // namespace tamis::test
