// A file that cannot be used is a FileError that names it; a file that cannot be written leaves
// nothing behind.
#include <H5Cpp.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "support/kit.hpp"
#include "support/temporary_folder.hpp"

namespace tamis::test {
namespace {

Trainer<double> small_trainer() {
  Trainer<double> trainer(plain_settings(2));
  trainer.fit(Matrix<double>::Random(6, 20).cwiseAbs());
  return trainer;
}

void expect_file_error(const std::function<void()>& action, const std::string& path,
                       const std::string& word = "") {
  try {
    action();
    ADD_FAILURE() << path << ": nothing was thrown";
  } catch (const FileError& problem) {
    const std::string message = problem.what();
    EXPECT_NE(message.find(std::filesystem::path(path).filename().string()), std::string::npos)
        << "the file is not named: " << message;
    EXPECT_NE(message.find(word), std::string::npos) << '"' << word << "\" not in: " << message;
  }
}

void expect_refused(const std::string& path, const std::string& word = "") {
  expect_file_error([&] { Model<double>::load(path); }, path, word);
  expect_file_error([&] { Trainer<double>::load(path); }, path, word);
  expect_file_error([&] { Trainer<float>::load(path); }, path, word);
}

class DamagedFile : public ::testing::Test {
 protected:
  DamagedFile() : path(folder / "model.h5") { small_trainer().save(path); }

  // Opens the good file and changes something in it.
  void change(const std::function<void(H5::H5File&)>& edit) const {
    H5::H5File file(path, H5F_ACC_RDWR);
    edit(file);
  }

  TemporaryFolder folder;
  std::string path;
};

TEST_F(DamagedFile, CutShortAtAnyLength) {
  const std::string whole = read_bytes(path);
  ASSERT_GT(whole.size(), 1000u);
  const std::string cut = folder / "cut.h5";
  std::vector<std::size_t> lengths = {0, 1, 7, 8, 9, 100, whole.size() - 1};
  for (std::size_t k = 1; k < 40; ++k) lengths.push_back(whole.size() * k / 40);
  for (const std::size_t length : lengths) {
    SCOPED_TRACE(length);
    write_bytes(cut, whole.substr(0, length));
    expect_refused(cut);
  }
}

TEST_F(DamagedFile, IsAText) {
  write_bytes(path, "W = 1, 2, 3\nA = 4, 5, 6\n");
  expect_refused(path, "HDF5");
}

TEST_F(DamagedFile, IsEmpty) {
  write_bytes(path, "");
  expect_refused(path);
}

TEST_F(DamagedFile, IsAFolder) { expect_refused(folder / ""); }

TEST_F(DamagedFile, DoesNotExist) { expect_refused(folder / "nothing.h5", "no such file"); }

TEST_F(DamagedFile, IsOfAnotherVersion) {
  change([](H5::H5File& file) {
    const int version = 999;
    file.openDataSet("version").write(&version, H5::PredType::NATIVE_INT);
  });
  expect_refused(path, "999");
}

TEST_F(DamagedFile, IsAnotherProgramsHdf5File) {
  const std::string other = folder / "other.h5";
  { H5::H5File(other, H5F_ACC_TRUNC).createGroup("measurements"); }
  expect_refused(other, "tamis");
}

TEST_F(DamagedFile, HasNoVersion) {
  change([](H5::H5File& file) { file.unlink("version"); });
  expect_refused(path);
}

TEST_F(DamagedFile, LacksAnyOneOfItsEntries) {
  std::vector<std::string> names;
  change([&](H5::H5File& file) {
    for (hsize_t i = 0; i < file.getNumObjs(); ++i) names.push_back(file.getObjnameByIdx(i));
  });
  ASSERT_GE(names.size(), 8u);
  const std::string whole = read_bytes(path);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    write_bytes(path, whole);
    change([&](H5::H5File& file) { file.unlink(name); });
    expect_file_error([&] { Trainer<double>::load(path); }, path);
  }
}

TEST_F(DamagedFile, HasMatricesThatDoNotBelongTogether) {
  change([](H5::H5File& file) {
    file.unlink("B");
    const hsize_t shape[] = {2, 5};
    const double values[10] = {};
    file.createDataSet("B", H5::PredType::NATIVE_DOUBLE, H5::DataSpace(2, shape))
        .write(values, H5::PredType::NATIVE_DOUBLE);
  });
  expect_refused(path, "B");
}

TEST_F(DamagedFile, HasSettingsThatBreakARule) {
  change([](H5::H5File& file) {
    std::string settings;
    const auto dataset = file.openDataSet("settings");
    const auto type = dataset.getStrType();
    dataset.read(settings, type);
    const auto at = settings.find("\"rank\"");
    ASSERT_NE(at, std::string::npos);
    settings.replace(settings.find('2', at), 1, "0");
    dataset.write(settings, type);
  });
  expect_refused(path, "rank");
}

TEST_F(DamagedFile, HasAMatrixThatIsNotOne) {
  change([](H5::H5File& file) {
    file.unlink("W");
    const double value = 3;
    file.createDataSet("W", H5::PredType::NATIVE_DOUBLE, H5::DataSpace())
        .write(&value, H5::PredType::NATIVE_DOUBLE);
  });
  expect_refused(path, "W");
}

TEST(UnwritableFile, LeavesNothingBehind) {
  const TemporaryFolder folder;
  const auto trainer = small_trainer();
  write_bytes(folder / "file", "");
  std::filesystem::create_directory(folder / "folder");
  for (const char* name : {"missing/model.h5", "file/model.h5", "folder"}) {
    SCOPED_TRACE(name);
    expect_file_error([&] { trainer.save(folder / name); }, folder / name);
    expect_file_error([&] { trainer.model().save(folder / name); }, folder / name);
    EXPECT_EQ(folder.entries(), 2);
  }
}

TEST(UnwritableFile, AFolderWithoutPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may write anywhere";
  const TemporaryFolder folder;
  const auto locked = folder / "locked";
  std::filesystem::create_directory(locked);
  std::filesystem::permissions(locked, std::filesystem::perms::owner_read);
  expect_file_error([&] { small_trainer().save(locked + "/model.h5"); }, "model.h5");
  std::filesystem::permissions(locked, std::filesystem::perms::owner_all);
}

// A checkpoint that cannot be written stops the fit, and the model is as it was.
TEST(UnwritableFile, AsCheckpoint) {
  const TemporaryFolder folder;
  Trainer<double> trainer = small_trainer();
  const std::string before = bytes_of(trainer.model());
  FitOptions<double> options;
  options.checkpoint = folder / "missing/checkpoint.h5";
  options.checkpoint_every = 1;
  EXPECT_THROW(trainer.fit(Matrix<double>::Ones(6, 20), options), FileError);
  EXPECT_TRUE(bytes_of(trainer.model()) == before);
}

}  // namespace
}  // namespace tamis::test
