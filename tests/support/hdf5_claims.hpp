// HDF5 files and models that are made by the library and then changed.
#pragma once

#include <H5Cpp.h>
#include <gtest/gtest.h>

#include <functional>

#include "support/kit.hpp"
#include "support/little_memory.hpp"
#include "support/sample_files.hpp"
#include "support/temporary_folder.hpp"

namespace tamis::test {

using Sizes = std::vector<hsize_t>;

class Hdf5Claims : public ::testing::Test {
 protected:
  Hdf5Claims() { H5::Exception::dontPrint(); }

  void edit(const std::function<void(H5::H5File&)>& work) const {
    H5::H5File file(path, std::filesystem::exists(path) ? H5F_ACC_RDWR : H5F_ACC_TRUNC);
    work(file);
  }
  // Another value in the place of a dataset
  template <class T>
  void replace(const std::string& name, const Sizes& sizes, const std::vector<T>& values) const {
    const auto& type =
        std::is_same_v<T, double> ? H5::PredType::NATIVE_DOUBLE : H5::PredType::NATIVE_INT64;
    edit([&](H5::H5File& file) {
      if (file.nameExists(name)) file.unlink(name);
      const H5::DataSpace space =
          sizes.empty() ? H5::DataSpace() : H5::DataSpace(int(sizes.size()), sizes.data());
      const auto dataset = file.createDataSet(name, type, space);
      if (!values.empty()) dataset.write(values.data(), type);
    });
  }
  void expect_model_refused(const std::vector<std::string>& words = {}) const {
    const LittleMemory little;
    expect_file_error([&] { Model<double>::load(path); }, path, words);
    expect_file_error([&] { Trainer<float>::load(path); }, path, words);
  }
  void save_model(const Algorithm& algorithm = Fast{}) const {
    Trainer<double> trainer(plain_settings(2, algorithm));
    trainer.fit(samples());
    trainer.save(path);
  }
  static Matrix<double> samples() {
    Matrix<double> V(6, 20);
    for (Index i = 0; i < V.size(); ++i) V.data()[i] = double(i % 7) / 7;
    return V;
  }

  TemporaryFolder folder;
  std::string path = folder / "x.h5";
};

}  // namespace tamis::test
