// HDF5 files that are sound as files, but claim what cannot be: refused before memory is asked for,
// and without writing where nothing belongs.
#include <limits>

#include "support/hdf5_claims.hpp"

namespace tamis::test {
namespace {

TEST_F(Hdf5Claims, ChunksLargerThanTheFile) {
  edit([](H5::H5File& file) {
    const Sizes sizes{3, 4}, most{H5S_UNLIMITED, H5S_UNLIMITED}, chunk{1 << 14, 1 << 14};
    H5::DSetCreatPropList properties;
    properties.setChunk(2, chunk.data());
    properties.setDeflate(1);
    file.createDataSet("data", H5::PredType::NATIVE_DOUBLE,
                       H5::DataSpace(2, sizes.data(), most.data()), properties);
  });
  const LittleMemory little;
  expect_unreadable(path, {"chunks", "more than the file can hold"});
}

TEST_F(Hdf5Claims, GroupsWithoutEnd) {
  edit([](H5::H5File& file) {
    H5::Group group = file.openGroup("/");
    for (int i = 0; i < 12000; ++i) group = group.createGroup("g");
    file.link(H5L_TYPE_HARD, "/", "round");
    file.link(H5L_TYPE_HARD, "/", "again");
  });
  expect_unreadable(path, {"which array?", "too many objects"});
  const Sizes sizes{2, 2};
  edit([&](H5::H5File& file) {
    file.createDataSet("g/data", H5::PredType::NATIVE_DOUBLE, H5::DataSpace(2, sizes.data()));
  });
  expect_unreadable(path, {"which array?", "too many objects"});
  EXPECT_EQ(read_file<double>(path + ":/g/data").cols(), 2);
}

// Links that lead nowhere, in a group with many names
TEST_F(Hdf5Claims, LinksWithoutEnd) {
  edit([](H5::H5File& file) {
    const H5::Group group = file.createGroup("group");
    for (int i = 0; i < 5000; ++i)
      group.link(H5L_TYPE_SOFT, "nowhere", "a link with a long name " + std::to_string(i));
    const Sizes sizes{2, 2};
    file.createDataSet("data", H5::PredType::NATIVE_DOUBLE, H5::DataSpace(2, sizes.data()));
  });
  EXPECT_EQ(read_file<double>(path).cols(), 2);
  edit([](H5::H5File& file) {
    for (int i = 0; i < 300; ++i) file.link(H5L_TYPE_HARD, "group", "again " + std::to_string(i));
  });
  expect_unreadable(path, {"which array?", "too many objects"});
  EXPECT_EQ(read_file<double>(path + ":/data").cols(), 2);
}

// Names that are written once, for many links
TEST_F(Hdf5Claims, NamesWithoutEnd) {
  constexpr std::size_t longest = 1 << 20;
  edit([](H5::H5File& file) {
    const Sizes sizes{2, 2};
    const std::string name(longest, 'n');
    for (int i = 0; i < 30; ++i)
      file.createDataSet(name + std::to_string(i), H5::PredType::NATIVE_DOUBLE,
                         H5::DataSpace(2, sizes.data()));
  });
  const LittleMemory little;
  try {
    open_reader<double>(path);
    ADD_FAILURE() << "too many names";
  } catch (const FileError& error) {
    const std::string_view text = error.what();
    EXPECT_NE(text.find("too many objects"), text.npos) << text.substr(0, 1000);
    EXPECT_LT(text.size(), 2000U);
  }
}

TEST_F(Hdf5Claims, TextsOfAModelThatAreNone) {
  for (const char* name : {"format", "settings"}) {
    for (const Sizes& sizes : {Sizes{}, Sizes{100}}) {
      SCOPED_TRACE(name);
      save_model();
      replace<std::int64_t>(name, sizes, std::vector<std::int64_t>(100, 3));
      expect_model_refused({name, "not a text"});
    }
  }
  save_model();
  replace<std::int64_t>("version", {100}, std::vector<std::int64_t>(100, 4));
  expect_model_refused({"version", "not a number"});
}

// Entries in the header of an array, fewer than its shape says
TEST_F(Hdf5Claims, CompactArraysThatAreCutShort) {
  const Sizes shape{4, 6};
  const std::vector<double> values(24, 0.5);
  edit([&](H5::H5File& file) {
    H5::DSetCreatPropList properties;
    properties.setLayout(H5D_COMPACT);
    const auto dataset =
        file.createDataSet("data", H5::PredType::NATIVE_DOUBLE, {2, shape.data()}, properties);
    dataset.write(values.data(), H5::PredType::NATIVE_DOUBLE);
  });
  EXPECT_EQ(read_file(path), Matrix<double>::Constant(6, 4, 0.5));
  std::string bytes = read_bytes(path);
  const std::string_view sizes("\4\0\0\0\0\0\0\0\6\0\0\0\0\0\0\0", 16);
  const std::size_t at = bytes.find(sizes);
  ASSERT_NE(at, std::string::npos);
  bytes[at] = 5;
  bytes[at + 16] = 5;  // the largest that it may become
  write_bytes(path, bytes);
  expect_unreadable(path, {"more entries than it holds"});
}

// Chunks that say in the index that they have fewer bytes than entries, as when the filter that
// packed them is lost
TEST_F(Hdf5Claims, ChunksThatAreCutShort) {
  const Sizes shape{4, 6}, chunk{2, 6};
  const std::vector<double> values(24, 0.5);
  edit([&](H5::H5File& file) {
    H5::DSetCreatPropList properties;
    properties.setChunk(2, chunk.data());
    const auto dataset =
        file.createDataSet("data", H5::PredType::NATIVE_DOUBLE, {2, shape.data()}, properties);
    dataset.write(values.data(), H5::PredType::NATIVE_DOUBLE);
  });
  EXPECT_EQ(read_file(path), Matrix<double>::Constant(6, 4, 0.5));
  std::string bytes = read_bytes(path);
  // The index: "TREE", of chunks, its level; after the header of 24 bytes the size of the first
  const std::size_t index = bytes.find(std::string_view("TREE\1\0", 6));
  ASSERT_NE(index, std::string::npos);
  ASSERT_EQ(bytes[index + 24], 96);
  bytes[index + 24] = 12;
  write_bytes(path, bytes);
  expect_unreadable(path, {"more entries than it holds"});
}

// Where they lie is told by places in the file that the library believes.
TEST_F(Hdf5Claims, TextsOfVariableLength) {
  const H5::StrType variable(H5::PredType::C_S1, H5T_VARIABLE);
  for (const char* name : {"format", "settings", "selection", "sink", "outcome"}) {
    SCOPED_TRACE(name);
    save_model();
    edit([&](H5::H5File& file) {
      file.unlink(name);
      const char* const text = "";
      file.createDataSet(name, variable, H5::DataSpace()).write(&text, variable);
    });
    const LittleMemory little;
    expect_file_error([&] { Trainer<double>::load(path); }, path, {name, "not a text"});
  }
}

TEST_F(Hdf5Claims, TextsLongerThanTheFile) {
  save_model();
  edit([&](H5::H5File& file) {
    file.unlink("settings");
    file.createDataSet("settings", H5::StrType(H5::PredType::C_S1, std::size_t(1) << 31),
                       H5::DataSpace());
  });
  expect_model_refused({"settings", "not a text"});
}

TEST_F(Hdf5Claims, MatricesOfAModel) {
  const auto claim = [&](const Sizes& sizes) {
    save_model();
    edit([&](H5::H5File& file) {
      file.unlink("W");
      H5::DSetCreatPropList properties;
      const Sizes chunk(sizes.size(), 1);
      properties.setChunk(int(chunk.size()), chunk.data());
      const Sizes most(sizes.size(), H5S_UNLIMITED);
      file.createDataSet("W", H5::PredType::NATIVE_DOUBLE,
                         H5::DataSpace(int(sizes.size()), sizes.data(), most.data()), properties);
    });
    expect_model_refused({"W"});
  };
  claim({hsize_t(1) << 60, 6});
  claim({hsize_t(1) << 32, hsize_t(1) << 32});
  claim({hsize_t(1) << 62, 0});
  claim({0, hsize_t(1) << 62});
}

TEST_F(Hdf5Claims, NumbersOfAModel) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  for (const char* name : {"samples", "batches", "epoch", "position", "reseeded"}) {
    for (const std::int64_t value : {most, std::int64_t(-1)}) {
      SCOPED_TRACE(name);
      save_model();
      replace<std::int64_t>(name, {}, {value});
      expect_model_refused({"counters"});
    }
  }
  for (const char* name : {"c", "weight", "sigma", "lambda", "unit"}) {
    SCOPED_TRACE(name);
    save_model();
    replace<double>(name, {}, {std::numeric_limits<double>::quiet_NaN()});
    expect_model_refused();
  }
  save_model();
  replace<double>("unit", {}, {std::numeric_limits<double>::infinity()});
  expect_model_refused({"unit"});
  save_model();
  replace<double>("B", {2, 6}, std::vector<double>(12, std::numeric_limits<double>::infinity()));
  expect_model_refused({"/B", "not finite"});
}

// The product of these is 6, or nothing at all, in 64 bits.
TEST_F(Hdf5Claims, ShapesOfSamples) {
  constexpr std::int64_t large = std::int64_t(1) << 31;
  for (const std::vector<std::int64_t>& shape :
       std::vector<std::vector<std::int64_t>>{{large, large, large, 6},
                                              {-2, -3},
                                              {0},
                                              {6, 1, large},
                                              {5},
                                              {std::int64_t(1) << 62, 4}}) {
    save_model();
    replace<std::int64_t>("shape", {shape.size()}, shape);
    expect_model_refused({"shape"});
  }
  save_model();
  replace<std::int64_t>("shape", {2}, {2, 3});
  EXPECT_EQ(Model<double>::load(path).shape, (std::vector<Index>{2, 3}));
}

// What an algorithm keeps must belong to the model beside it.
TEST_F(Hdf5Claims, StatesOfAlgorithms) {
  Fast warm;
  warm.warm_start = true;
  const std::vector<double> values(100, 0.5);
  for (const Sizes& sizes : {Sizes{1, 1}, Sizes{2, 1}, Sizes{1, 2}, Sizes{2, 30}}) {
    save_model(warm);
    replace<double>("warm_start", sizes, values);
    Trainer<double> trainer = Trainer<double>::load(path);
    EXPECT_THROW(trainer.partial_fit(samples()), DataError);
  }
  Badmm badmm;
  badmm.stopping = {.tolerance = 0, .iterations = 12};
  for (const char* name : {"W_unsplit", "D", "H", "U", "alpha", "Y", "Q", "beta"}) {
    SCOPED_TRACE(name);
    save_model(badmm);
    replace<std::int64_t>("epoch", {}, {5});
    EXPECT_NO_THROW(Trainer<double>::load(path).fit(samples(), {.resume = true}));
    replace<double>(name, {2, 1}, values);
    Trainer<double> trainer = Trainer<double>::load(path);
    EXPECT_THROW(trainer.fit(samples(), {.resume = true}), DataError);
  }
}

}  // namespace
}  // namespace tamis::test
