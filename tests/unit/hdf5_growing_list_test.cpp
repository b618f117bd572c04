// Lists of chunks that may become more, as the library writes them, and changed.
#include "io/hdf5/growing_list.hpp"

#include <H5Cpp.h>
#include <gtest/gtest.h>

#include "support/hdf5_links.hpp"

namespace tamis::test {
namespace {

using namespace std::literals;

constexpr int entry = 8, places = 6 + 25;  // of the blocks in the first one

// An array of chunks of one row, of which some at the end are written
class GrowingFile {
 public:
  explicit GrowingFile(hsize_t rows, hsize_t written) {
    const TemporaryFolder folder;
    const std::string path = folder / "x.h5";
    {
      H5::FileAccPropList newest;
      newest.setLibverBounds(H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
      const H5::H5File file(path, H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT, newest);
      const hsize_t sizes[] = {rows, 1}, most[] = {H5S_UNLIMITED, 1}, chunk[] = {1, 1};
      const hsize_t count[] = {written, 1}, from[] = {rows - written, 0};
      H5::DSetCreatPropList properties;
      properties.setChunk(2, chunk);
      const auto dataset = file.createDataSet("data", H5::PredType::NATIVE_UINT8,
                                              H5::DataSpace(2, sizes, most), properties);
      const H5::DataSpace there = dataset.getSpace();
      there.selectHyperslab(H5S_SELECT_SET, count, from);
      const std::vector<std::uint8_t> values(written, 1);
      dataset.write(values.data(), H5::PredType::NATIVE_UINT8, H5::DataSpace(2, count), there);
    }
    bytes = read_bytes(path);
    list = bytes.find("EAHD");
    first = bytes.find("EAIB");
  }

  bool sound(const std::string& changed_bytes) const {
    hdf5::Owned owned;
    const hdf5::Read more = only(changed_bytes);
    return hdf5::GrowingList(list, entry, usual_place, more, owned).sound(first);
  }
  // Where the first block has the place of another
  std::size_t place(int i) const { return first + 14 + 4 * entry + std::size_t(8 * i); }
  std::uint64_t at(std::size_t place) const {
    return hdf5::Cursor(bytes_of(bytes).subspan(place)).number(8);
  }

  std::string bytes;
  std::size_t list = 0, first = 0;
};

TEST(Hdf5GrowingList, AsTheyAreWritten) {
  for (const auto& [rows, written] : std::vector<std::pair<hsize_t, hsize_t>>{
           {3, 3}, {3000, 3000}, {300000, 1}, {300000, 150000}}) {
    const GrowingFile file(rows, written);
    EXPECT_TRUE(file.sound(file.bytes)) << rows << " " << written;
  }
}

TEST(Hdf5GrowingList, BlocksOfAnother) {
  const GrowingFile file(3000, 3000);
  for (const auto kind : {"EAIB"sv, "EADB"sv, "EASB"sv}) {
    const std::size_t at = file.bytes.find(kind);
    ASSERT_NE(at, std::string::npos);
    EXPECT_FALSE(file.sound(changed(file.bytes, at, 'X', 1)));
    EXPECT_FALSE(file.sound(changed(file.bytes, at + 6, file.list + 8, 8)));
  }
  EXPECT_FALSE(file.sound(file.bytes.substr(0, file.place(places) - 1)));
}

TEST(Hdf5GrowingList, BlocksOfAnotherSize) {
  const GrowingFile file(3000, 3000);
  const std::uint64_t smallest = file.at(file.place(0)), next = file.at(file.place(1));
  EXPECT_FALSE(file.sound(changed(file.bytes, file.place(1), smallest, 8)));
  EXPECT_FALSE(file.sound(changed(file.bytes, file.place(0), next, 8)));
  const std::uint64_t between = file.at(file.place(6));
  EXPECT_EQ(file.bytes.substr(between, 4), "EASB");
  EXPECT_FALSE(file.sound(changed(file.bytes, between + 14 + 4, smallest, 8)));
  EXPECT_FALSE(file.sound(changed(file.bytes, file.place(7), between, 8)));
  EXPECT_FALSE(file.sound(changed(file.bytes, file.place(7), file.bytes.size() - 20, 8)));
}

}  // namespace
}  // namespace tamis::test
