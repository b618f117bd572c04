// HDF5 is not made for threads, so the GIL is kept here: it also keeps h5py away.
#include "state.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tamis/error.hpp"

namespace py = pybind11;

namespace tamis::python {
namespace {

// HDF5 reads and writes files; a pickle passes through one.
class TemporaryFile {
 public:
  TemporaryFile() {
    // Python's: if one folder for such files is not there, it finds another, or raises OSError.
    const py::object made = py::module_::import("tempfile").attr("mkdtemp")("", "tamis-");
    folder_ = py::module_::import("os").attr("fsencode")(made).cast<std::string>();
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return (folder_ / "state.h5").string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace

template <class T>
void Estimator<T>::save(const std::string& path) {
  const auto lock = shared_lock();
  trainer_.save(path);
}

template <class T>
std::unique_ptr<Estimator<T>> load_estimator(const std::string& path) {
  try {
    return std::make_unique<Estimator<T>>(Trainer<T>::load(path));
  } catch (const FileError&) {
    return std::make_unique<Estimator<T>>(Trainer<T>(Model<T>::load(path)));
  }
}

template <class T>
py::bytes to_bytes(Estimator<T>& estimator) {
  const TemporaryFile file;
  estimator.save(file.path());
  std::ifstream in(file.path(), std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (bytes.empty()) throw FileError(file.path() + ": cannot be read");
  return bytes;
}

template <class T>
std::unique_ptr<Estimator<T>> from_bytes(const py::bytes& state) {
  const TemporaryFile file;
  {
    std::ofstream out(file.path(), std::ios::binary);
    const std::string_view bytes = state;
    if (!out.write(bytes.data(), std::streamsize(bytes.size())).flush())
      throw FileError(file.path() + ": cannot be written");
  }
  return load_estimator<T>(file.path());
}

template void Estimator<float>::save(const std::string&);
template void Estimator<double>::save(const std::string&);
template std::unique_ptr<Estimator<float>> load_estimator(const std::string&);
template std::unique_ptr<Estimator<double>> load_estimator(const std::string&);
template py::bytes to_bytes(Estimator<float>&);
template py::bytes to_bytes(Estimator<double>&);
template std::unique_ptr<Estimator<float>> from_bytes(const py::bytes&);
template std::unique_ptr<Estimator<double>> from_bytes(const py::bytes&);

}  // namespace tamis::python
