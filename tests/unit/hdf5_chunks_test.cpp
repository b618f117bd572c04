// Chunks of HDF5 arrays that do not have the bytes of their entries.
#include <zlib.h>

#include <array>

#include "support/hdf5_claims.hpp"

namespace tamis::test {
namespace {

using namespace std::literals;

// Packed chunks of which something else comes out than was put in
class Hdf5Packed : public Hdf5Claims {
 protected:
  using Filters = std::function<void(H5::DSetCreatPropList&)>;

  void add(const std::string& name, const Filters& filters) const {
    edit([&](H5::H5File& file) {
      const Sizes shape{8, 4, 5}, chunk{4, 2, 5};
      H5::DSetCreatPropList properties;
      properties.setChunk(3, chunk.data());
      filters(properties);
      const auto dataset =
          file.createDataSet(name, H5::PredType::NATIVE_FLOAT, {3, shape.data()}, properties);
      const std::vector<float> values(160, 0.5F);
      dataset.write(values.data(), H5::PredType::NATIVE_FLOAT);
    });
  }
  void set_last_chunk(const std::string& bytes, std::uint32_t skipped = 0) const {
    edit([&](H5::H5File& file) {
      const Sizes offset{4, 2, 0};
      ASSERT_GE(H5Dwrite_chunk(file.openDataSet("data").getId(), H5P_DEFAULT, skipped,
                               offset.data(), bytes.size(), bytes.data()),
                0);
    });
  }
  static std::string packed(std::size_t floats) {
    const std::vector<float> values(floats, 0.5F);
    std::string bytes(compressBound(uLong(4 * floats)), '\0');
    auto size = uLongf(bytes.size());
    compress(reinterpret_cast<Bytef*>(bytes.data()), &size,
             reinterpret_cast<const Bytef*>(values.data()), uLong(4 * floats));
    return bytes.substr(0, size);
  }
  static Matrix<double> expected() { return Matrix<double>::Constant(20, 8, 0.5); }
};

TEST_F(Hdf5Packed, UnpackToSomethingElse) {
  add("data", [](H5::DSetCreatPropList& properties) { properties.setDeflate(1); });
  EXPECT_EQ(read_file(path), expected());
  set_last_chunk(packed(40));
  EXPECT_EQ(read_file(path), expected());
  for (const std::string& wrong :
       {packed(39), packed(41), packed(0), packed(100000), packed(40).substr(0, 9), "nothing"s}) {
    set_last_chunk(wrong);
    expect_unreadable(path, {"chunk of sample 4", "size"});
  }
  const std::string bytes(160, '\0');
  set_last_chunk(bytes, 1);  // as it is, without being packed
  EXPECT_EQ(read_file(path)(19, 7), 0);
  set_last_chunk(bytes.substr(1), 1);
  expect_unreadable(path, {"chunk of sample 4", "size"});
}

// In the index: "TREE", of chunks, its level; after the header of 24 bytes the size of the first
TEST_F(Hdf5Packed, MoreThanTheFileHas) {
  add("data", [](H5::DSetCreatPropList& properties) { properties.setDeflate(1); });
  std::string bytes = read_bytes(path);
  const std::size_t index = bytes.find("TREE\1\0"sv);
  ASSERT_NE(index, std::string::npos);
  bytes[index + 27] = '\x7f';
  write_bytes(path, bytes);
  const LittleMemory little;
  expect_unreadable(path, {"chunk of sample 0", "size"});
}

// Chunks of one entry, of which one was ever written
TEST_F(Hdf5Packed, HardlyAnyAreThere) {
  const auto make = [&](hsize_t features, std::size_t entries) {
    std::filesystem::remove(path);
    edit([&](H5::H5File& file) {
      const Sizes shape{30, features}, chunk{1, 1}, offset{20, 3000};
      H5::DSetCreatPropList properties;
      properties.setChunk(2, chunk.data());
      properties.setDeflate(1);
      const auto dataset =
          file.createDataSet("data", H5::PredType::NATIVE_FLOAT, {2, shape.data()}, properties);
      const std::string bytes = packed(entries);
      H5Dwrite_chunk(dataset.getId(), H5P_DEFAULT, 0, offset.data(), bytes.size(), bytes.data());
    });
  };
  make(4000, 1);
  const auto reader = open_reader<float>(path);
  Matrix<float> V(4000, 30);
  EXPECT_EQ(reader->read(V), 30);  // in two steps
  EXPECT_EQ(V(3000, 20), 0.5F);
  EXPECT_EQ(V.sum(), 0.5F);
  make(4000, 2);
  expect_unreadable(path, {"chunk of sample 20", "size"});
  make(9000, 1);
  expect_unreadable(path, {"more than 4096 chunks"});
}

TEST_F(Hdf5Packed, WithOtherFilters) {
  const auto checksum = [](H5::DSetCreatPropList& properties) { properties.setFletcher32(); };
  const auto shuffle = [](H5::DSetCreatPropList& properties) { properties.setShuffle(); };
  const auto deflate = [](H5::DSetCreatPropList& properties) { properties.setDeflate(1); };
  const auto nbit = [](H5::DSetCreatPropList& properties) { properties.setNbit(); };
  const std::vector<std::vector<Filters>> pipelines = {{},
                                                       {checksum},
                                                       {shuffle, deflate, checksum},
                                                       {checksum, deflate},
                                                       {deflate, shuffle},
                                                       {deflate, shuffle, checksum},
                                                       {checksum, deflate, checksum, shuffle},
                                                       {nbit},
                                                       {nbit, deflate},
                                                       {checksum, checksum}};
  for (const auto& pipeline : pipelines) {
    SCOPED_TRACE(pipeline.size());
    std::filesystem::remove(path);
    add("data", [&](H5::DSetCreatPropList& properties) {
      for (const Filters& filter : pipeline) filter(properties);
    });
    EXPECT_EQ(read_file(path), expected());
  }
  std::filesystem::remove(path);
  add("data", [&](H5::DSetCreatPropList& properties) {
    deflate(properties);
    H5Pset_filter(properties.getId(), H5Z_FILTER_DEFLATE, 0, 1, std::array{1U}.data());
  });
  expect_unreadable(path, {"packed twice"});
}

// Something else than what seems to be there is unpacked, if the library puts it in order before.
TEST_F(Hdf5Packed, ShuffledAfterwards) {
  add("data", [](H5::DSetCreatPropList& properties) {
    properties.setDeflate(1);
    properties.setShuffle();
  });
  EXPECT_EQ(read_file(path), expected());
  for (const std::size_t floats : {40, 39}) {
    std::string bytes = packed(floats), shuffled;
    for (std::size_t byte = 0; byte < 4; ++byte)
      for (std::size_t i = byte; i < bytes.size() / 4 * 4; i += 4) shuffled += bytes[i];
    shuffled += bytes.substr(shuffled.size());
    set_last_chunk(shuffled);
    if (floats == 40)
      EXPECT_EQ(read_file(path), expected());
    else
      expect_unreadable(path, {"chunk of sample 4", "size"});
  }
  set_last_chunk(packed(40));  // in the order in which it would be right without
  expect_unreadable(path, {"chunk of sample 4", "size"});
  set_last_chunk(packed(40) + "x", 2);  // a new size: otherwise the library keeps what it said
  EXPECT_EQ(read_file(path), expected());
}

// The library takes it off before it looks how much there is.
TEST_F(Hdf5Packed, ShorterThanItsChecksum) {
  for (const bool first : {true, false}) {
    std::filesystem::remove(path);
    add("data", [&](H5::DSetCreatPropList& properties) {
      if (first) properties.setFletcher32();
      properties.setNbit();
      if (!first) properties.setFletcher32();
    });
    EXPECT_EQ(read_file(path), expected());
    set_last_chunk("ab");
    expect_unreadable(path, {"chunk of sample 4", "size"});
  }
}

// Each chunk says which filters were left out.
TEST_F(Hdf5Packed, WithoutItsChecksum) {
  add("data", [](H5::DSetCreatPropList& properties) { properties.setFletcher32(); });
  EXPECT_EQ(read_file(path), expected());
  const std::string bytes(160, '\0');
  set_last_chunk(bytes, 1);
  EXPECT_EQ(read_file(path)(19, 7), 0);
  set_last_chunk(bytes.substr(1), 1);
  expect_unreadable(path, {"chunk of sample 4", "size"});
  set_last_chunk(bytes, 0);
  expect_unreadable(path, {"chunk of sample 4", "size"});
}

// Chunks that stick out at an end may be left unpacked, or without a checksum.
TEST_F(Hdf5Packed, ChunksAtTheEnds) {
  constexpr unsigned as_they_are = H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS;
  for (const auto& [options, deflated] : std::vector<std::pair<unsigned, bool>>{
           {0, true}, {as_they_are, true}, {0, false}, {as_they_are, false}}) {
    std::filesystem::remove(path);
    {
      H5::FileAccPropList newest;
      newest.setLibverBounds(H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
      const H5::H5File file(path, H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT, newest);
      const Sizes shape{7, 5}, chunk{4, 3};
      H5::DSetCreatPropList properties;
      properties.setChunk(2, chunk.data());
      if (deflated)
        properties.setDeflate(1);
      else
        properties.setFletcher32();
      H5Pset_chunk_opts(properties.getId(), options);
      const auto dataset =
          file.createDataSet("data", H5::PredType::NATIVE_FLOAT, {2, shape.data()}, properties);
      const std::vector<float> values(35, 0.5F);
      dataset.write(values.data(), H5::PredType::NATIVE_FLOAT);
    }
    EXPECT_EQ(read_file(path), Matrix<double>::Constant(5, 7, 0.5)) << options;
  }
}

// In new files with a fixed number of chunks their places are a list.
TEST_F(Hdf5Packed, ListsOfChunks) {
  for (const bool packed : {false, true})
    for (const Sizes& chunk : {Sizes{1, 3}, Sizes{2, 2}, Sizes{1, 1}}) {
      std::filesystem::remove(path);
      const Sizes shape{3000, 3}, most{4000, 5};
      const std::vector<double> values(9000, 0.5);
      {
        H5::FileAccPropList newest;
        newest.setLibverBounds(H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
        const H5::H5File file(path, H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT, newest);
        H5::DSetCreatPropList properties;
        properties.setChunk(2, chunk.data());
        if (packed) properties.setDeflate(1);
        file.createDataSet("data", H5::PredType::NATIVE_DOUBLE,
                           H5::DataSpace(2, shape.data(), most.data()), properties)
            .write(values.data(), H5::PredType::NATIVE_DOUBLE);
      }
      EXPECT_EQ(read_file(path), Matrix<double>::Constant(3, 3000, 0.5));
    }
}

// What a virtual array finds in chunks of others, the library unpacks by itself.
TEST_F(Hdf5Packed, BehindAVirtualArray) {
  add("data", [](H5::DSetCreatPropList& properties) { properties.setDeflate(1); });
  edit([&](H5::H5File& file) {
    const Sizes shape{8, 4, 5};
    const H5::DataSpace space(3, shape.data());
    H5::DSetCreatPropList properties;
    H5Pset_virtual(properties.getId(), space.getId(), ".", "data", space.getId());
    file.createDataSet("other", H5::PredType::NATIVE_FLOAT, space, properties);
  });
  EXPECT_EQ(read_file(path + ":/other"), expected());
  set_last_chunk(packed(39));
  expect_file_error([&] { read_file(path + ":/other"); }, path, {"chunk of sample 4", "size"});
}

TEST_F(Hdf5Packed, InAModel) {
  save_model();
  const Matrix<double> W = Model<double>::load(path).W;
  const auto replace_by = [&](hsize_t rows_written) {
    edit([&](H5::H5File& file) {
      file.unlink("W");
      const Sizes shape{hsize_t(W.cols()), hsize_t(W.rows())};
      H5::DSetCreatPropList properties;
      properties.setChunk(2, shape.data());
      properties.setDeflate(1);
      const auto dataset =
          file.createDataSet("W", H5::PredType::NATIVE_DOUBLE, {2, shape.data()}, properties);
      dataset.write(W.data(), H5::PredType::NATIVE_DOUBLE);
      if (rows_written == shape[0]) return;
      const std::string less = packed(std::size_t(W.rows()));
      const Sizes offset{0, 0};
      H5Dwrite_chunk(dataset.getId(), H5P_DEFAULT, 0, offset.data(), less.size(), less.data());
    });
  };
  replace_by(hsize_t(W.cols()));
  EXPECT_EQ(Model<double>::load(path).W, W);
  replace_by(1);
  expect_model_refused({"/W", "size"});
}

}  // namespace
}  // namespace tamis::test
