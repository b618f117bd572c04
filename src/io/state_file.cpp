#include "io/state_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <type_traits>

#include "io/atomic_file.hpp"
#include "io/hdf5.hpp"
#include "io/hdf5_chunks.hpp"
#include "io/hdf5_disk.hpp"
#include "tamis/error.hpp"
#include "training.hpp"

namespace tamis {
namespace {

constexpr Index format_version = 4;
constexpr Index largest_count = Index(1) << 60;

template <class T>
const H5::PredType& hdf5_type() {
  if constexpr (std::is_same_v<T, float>)
    return H5::PredType::NATIVE_FLOAT;
  else if constexpr (std::is_same_v<T, double>)
    return H5::PredType::NATIVE_DOUBLE;
  else
    return H5::PredType::NATIVE_INT64;
}

// Of a fixed length, and no attributes: where a text of variable length lies, and how long an
// attribute is, the library just believes.
H5::StrType type_of(const std::string& text) {
  H5::StrType type(H5::PredType::C_S1, std::max<std::size_t>(text.size(), 1));
  type.setCset(H5T_CSET_UTF8);
  type.setStrpad(H5T_STR_NULLPAD);
  return type;
}

// None if it is not one text of at most so many bytes
std::optional<H5::StrType> text_type(const H5::AbstractDs& stored, std::uintmax_t most) {
  if (stored.getTypeClass() != H5T_STRING || stored.getSpace().getSimpleExtentNpoints() != 1)
    return std::nullopt;
  const H5::StrType type = stored.getStrType();
  return type.isVariableStr() || type.getSize() > most ? std::nullopt : std::optional(type);
}

// Does an array keep its entries in another file, or is it put together of other files' arrays?
bool lies_elsewhere(const H5::DataSet& dataset) {
  const H5::DSetCreatPropList created = dataset.getCreatePlist();
  return created.getLayout() == H5D_VIRTUAL || created.getExternalCount() > 0;
}

// A column-major m×n matrix is a row-major (n, m) dataset: /W is (K, F).
class Writer {
 public:
  explicit Writer(const std::string& path) : output_(path), file_(output_.file()) {}

  template <class T>
  void operator()(const char* name, const Matrix<T>& matrix) {
    const std::array<hsize_t, 2> shape{hsize_t(matrix.cols()), hsize_t(matrix.rows())};
    const H5::DataSpace space(2, shape.data());
    const auto dataset = file_.createDataSet(name, hdf5_type<T>(), space, without_times());
    if (matrix.size() > 0) dataset.write(matrix.data(), hdf5_type<T>());
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  void operator()(const char* name, const T& value) {
    file_.createDataSet(name, hdf5_type<T>(), H5::DataSpace(), without_times())
        .write(&value, hdf5_type<T>());
  }
  void operator()(const char* name, const std::vector<Index>& values) {
    const hsize_t size = values.size();
    const auto dataset =
        file_.createDataSet(name, hdf5_type<Index>(), H5::DataSpace(1, &size), without_times());
    if (size > 0) dataset.write(values.data(), hdf5_type<Index>());
  }
  void operator()(const char* name, const std::string& text) {
    const auto dataset = file_.createDataSet(name, type_of(text), H5::DataSpace(), without_times());
    if (!text.empty()) dataset.write(text.data(), type_of(text));
  }
  void close() { output_.close(); }

 private:
  Hdf5Output output_;
  const H5::H5File& file_;
};

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {
    std::error_code problem;
    if (!std::filesystem::exists(path, problem)) throw FileError(path + ": no such file");
    bytes_ = std::filesystem::file_size(path, problem);
    if (problem) throw FileError(fmt::format("{}: {}", path, problem.message()));
    try {
      file_ = open_hdf5(path);
    } catch (const H5::Exception&) {
      throw FileError(
          path + ": not a readable HDF5 file; it may be damaged, cut short, or of another kind");
    }
    if (!has_format()) throw FileError(path + ": an HDF5 file, but not a tamis model");
    Index version = 0;
    (*this)("version", version);
    if (version != format_version) {
      throw FileError(fmt::format("{}: model format version {}, this program reads version {}",
                                  path, version, format_version));
    }
  }

  template <class T>
  void operator()(const char* name, Matrix<T>& matrix) {
    const auto dataset = open(name);
    const auto space = dataset.getSpace();
    std::array<hsize_t, 2> shape{};
    if (space.getSimpleExtentNdims() != 2)
      throw FileError(fmt::format("{}: /{} is not a matrix", path_, name));
    space.getSimpleExtentDims(shape.data());
    // A damaged header must not make us ask for more memory than the file has bytes.
    const bool fits = std::max(shape[0], shape[1]) <= bytes_;
    if (!fits || (shape[1] > 0 && shape[0] > bytes_ / shape[1])) {
      throw FileError(fmt::format("{}: /{} claims {}×{} entries, more than the file holds", path_,
                                  name, shape[0], shape[1]));
    }
    matrix.resize(Index(shape[1]), Index(shape[0]));
    if (matrix.size() > 0) dataset.read(matrix.data(), hdf5_type<T>());
    if (!matrix.allFinite())
      throw FileError(fmt::format("{}: /{} has entries that are not finite", path_, name));
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  void operator()(const char* name, T& value) {
    const auto dataset = open(name);
    if (dataset.getSpace().getSimpleExtentNpoints() != 1) {
      throw FileError(fmt::format("{}: /{} is not a number", path_, name));
    }
    dataset.read(&value, hdf5_type<T>());
  }
  void operator()(const char* name, std::vector<Index>& values) {
    const auto dataset = open(name);
    const auto size = dataset.getSpace().getSimpleExtentNpoints();
    if (size < 0 || std::uintmax_t(size) > bytes_)
      throw FileError(fmt::format("{}: /{} is not a list of numbers", path_, name));
    values.resize(std::size_t(size));
    if (size > 0) dataset.read(values.data(), hdf5_type<Index>());
  }
  void operator()(const char* name, std::string& text) {
    const auto dataset = open(name);
    const auto type = text_type(dataset, bytes_);
    if (!type) throw FileError(fmt::format("{}: /{} is not a text", path_, name));
    text.assign(type->getSize(), '\0');
    dataset.read(text.data(), *type);
    text.resize(std::min(text.find('\0'), text.size()));
  }
  bool is_double(const char* name) { return open(name).getDataType().getSize() == sizeof(double); }

 private:
  bool has_format() {
    if (!file_.nameExists("format")) return false;
    std::string format;
    (*this)("format", format);
    return format == model_format_name;
  }

  H5::DataSet open(const char* name) {
    if (!file_.nameExists(name)) {
      throw FileError(
          fmt::format("{}: /{} is missing; only the state of a stopped run can be "
                      "resumed, not a finished model",
                      path_, name));
    }
    // A model that was given to somebody must not fetch anything from his other files.
    H5L_info_t link{};
    const bool here = H5Lget_info(file_.getId(), name, &link, H5P_DEFAULT) >= 0 &&
                      link.type == H5L_TYPE_HARD && !lies_elsewhere(file_.openDataSet(name));
    if (!here)
      throw FileError(
          fmt::format("{}: /{} is not in this file itself, as that of a model is", path_, name));
    const H5::DataSet dataset = file_.openDataSet(name);
    check_stored(dataset, path_);
    // More will be refused anyhow.
    const hssize_t entries = dataset.getSpace().getSimpleExtentNpoints();
    if (entries > 0 && std::uintmax_t(entries) <= bytes_)
      ChunkCheck(dataset, fmt::format("{}:/{}", path_, name)).check_all(dataset);
    return dataset;
  }

  std::string path_;
  std::uintmax_t bytes_ = 0;
  H5::H5File file_;
};

template <class Check>
void check_settings(const std::string& path, const Check& check) {
  try {
    check();
  } catch (const SettingsError& problem) {
    throw FileError(fmt::format("{}: its settings are not valid: {}", path, problem.what()));
  }
}

// Have samples of this shape F entries? Nothing is multiplied that might be larger than any number.
bool is_shape_of(const std::vector<Index>& shape, Index F) {
  for (const Index n : shape) {
    if (n < 1 || F % n != 0) return false;
    F /= n;
  }
  return F == 1;
}

template <class T>
void check_shapes(const std::string& path, const Model<T>& model) {
  const Index K = model.settings.rank;
  const Index F = model.W.rows();
  const bool empty = model.W.size() == 0 && !model.trained();
  const bool consistent = model.W.cols() == K && model.A.rows() == K && model.A.cols() == K &&
                          model.B.rows() == F && model.B.cols() == K;
  if (!empty && !consistent)
    throw FileError(path + ": the sizes of W, A and B do not belong together");
  const bool finite = std::isfinite(model.c) && std::isfinite(model.weight) &&
                      std::isfinite(model.sigma) && !std::isnan(model.lambda);
  if (!finite) throw FileError(path + ": the model has numbers that are not finite");
  const bool valid_unit = model.unit > 0 && std::isfinite(model.unit);
  if (!empty && (!is_shape_of(model.shape, F) || !valid_unit))
    throw FileError(path + ": the shape or unit of its samples is not valid");
  const auto counters = {model.samples, model.batches, model.epoch, model.position, model.reseeded};
  if (std::min(counters) < 0 || model.weight < 0 || model.sigma < 0 || model.lambda < 0)
    throw FileError(path + ": the model has counters or weights below zero");
  if (std::max(counters) > largest_count)
    throw FileError(path + ": the model has counters that are too large to go on counting");
  if (!empty) check_settings(path, [&] { model.settings.validate(F); });
}

template <class T>
const Model<T>& model_of(const Model<T>& model) {
  return model;
}
template <class T>
const Model<T>& model_of(const Training<T>& training) {
  return training.model;
}

}  // namespace

template <class State>
void save_state(const std::string& path, const State& state) {
  write_atomically(path, [&](const std::string& temporary) {
    with_hdf5(path, "cannot be written", [&] {
      Writer writer(temporary);
      writer("format", std::string(model_format_name));
      writer("version", format_version);
      writer("settings", model_of(state).settings.to_json());
      State::state(state, writer);
      writer.close();
    });
  });
}

Settings load_settings(const std::string& path) {
  std::string json;
  with_hdf5(path, "cannot be read", [&] {
    Reader reader(path);
    reader("settings", json);
  });
  Settings settings;
  check_settings(path, [&] {
    settings = Settings::from_json(json);
    settings.validate();
    const auto batch_size = settings.batch_size;
    settings = settings.resolved();
    settings.batch_size = batch_size ? batch_size : settings.batch_size;
  });
  return settings;
}

ElementType model_type(const std::string& path) {
  const bool is_double =
      with_hdf5(path, "cannot be read", [&] { return Reader(path).is_double("W"); });
  return is_double ? ElementType::f64 : ElementType::f32;
}

template <class State>
void load_state(const std::string& path, State& state) {
  with_hdf5(path, "cannot be read", [&] {
    Reader reader(path);
    State::state(state, reader);
  });
  check_shapes(path, model_of(state));
}

template void save_state(const std::string&, const Model<float>&);
template void save_state(const std::string&, const Model<double>&);
template void save_state(const std::string&, const Training<float>&);
template void save_state(const std::string&, const Training<double>&);
template void load_state(const std::string&, Model<float>&);
template void load_state(const std::string&, Model<double>&);
template void load_state(const std::string&, Training<float>&);
template void load_state(const std::string&, Training<double>&);

}  // namespace tamis
