#include "array.hpp"

#include <algorithm>

namespace py = pybind11;

namespace tamis::python {
namespace {

ElementType element_type(const py::array& array) {
  if (py::isinstance<py::array_t<std::uint8_t>>(array)) return ElementType::u8;
  if (py::isinstance<py::array_t<std::uint16_t>>(array)) return ElementType::u16;
  if (py::isinstance<py::array_t<float>>(array)) return ElementType::f32;
  if (py::isinstance<py::array_t<double>>(array)) return ElementType::f64;
  throw py::type_error("samples must be uint8, uint16, float32 or float64");
}

template <class Entry>
auto view(const SampleArray& array) {
  using Step = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  return Eigen::Map<const Matrix<Entry>, 0, Step>(reinterpret_cast<const Entry*>(array.data),
                                                  array.features, array.samples,
                                                  Step(array.sample_step, array.feature_step));
}

template <class T>
class ArrayReader final : public Reader<T> {
 public:
  explicit ArrayReader(const SampleArray& array) : array_(array) {
    format_.shape = {array.features};
    format_.type = array.type;
    format_.unit = array.unit;
  }

  const SampleFormat& format() const override { return format_; }
  std::optional<Index> samples() const override { return array_.samples; }
  Access access() const override { return Access::random; }
  void seek(Index sample) override { next_ = sample; }
  Index read(MatrixRef<T> V) override {
    const Index n = take(V.cols());
    array_.template read<T>(next_ - n, V.leftCols(n));
    return n;
  }
  bool stores_bytes() const override { return array_.type == ElementType::u8; }
  Index read_bytes(MatrixRef<std::uint8_t> V) override {
    const Index n = take(V.cols());
    array_.read_bytes(next_ - n, V.leftCols(n));
    return n;
  }

 private:
  Index take(Index most) {
    const Index n = std::min(most, array_.samples - next_);
    next_ += n;
    return n;
  }

  SampleArray array_;
  SampleFormat format_;
  Index next_ = 0;
};

}  // namespace

SampleArray::SampleArray(const py::array& array) : type(element_type(array)), unit(unit_of(type)) {
  if (array.ndim() != 2) throw py::value_error("samples must be a two-dimensional array");
  data = static_cast<const std::byte*>(array.data());
  samples = array.shape(0);
  features = array.shape(1);
  const Index bytes = size_of(type);
  if (array.strides(0) % bytes != 0 || array.strides(1) % bytes != 0)
    throw py::value_error("the entries of the array are not aligned");
  sample_step = array.strides(0) / bytes;
  feature_step = array.strides(1) / bytes;
}

template <class T>
bool SampleArray::in_place() const {
  const ElementType wanted = std::is_same_v<T, float> ? ElementType::f32 : ElementType::f64;
  return type == wanted && (feature_step == 1 || features == 1) && sample_step >= features;
}

template <class T>
Eigen::Map<const Matrix<T>, 0, Eigen::OuterStride<>> SampleArray::columns() const {
  return {reinterpret_cast<const T*>(data), features, samples, Eigen::OuterStride<>(sample_step)};
}

template <class T>
void SampleArray::read(Index first, MatrixRef<T> V) const {
  const auto copy = [&]<class Entry>(Entry) {
    V = view<Entry>(*this).middleCols(first, V.cols()).template cast<T>();
  };
  switch (type) {
    case ElementType::u8:
      copy(std::uint8_t{});
      break;
    case ElementType::u16:
      copy(std::uint16_t{});
      break;
    case ElementType::f32:
      copy(float{});
      break;
    case ElementType::f64:
      copy(double{});
      break;
  }
  if (unit != 1) V /= T(unit);
}

void SampleArray::read_bytes(Index first, MatrixRef<std::uint8_t> V) const {
  V = view<std::uint8_t>(*this).middleCols(first, V.cols());
}

template <class T>
std::unique_ptr<Reader<T>> make_reader(const SampleArray& array) {
  return std::make_unique<ArrayReader<T>>(array);
}

template bool SampleArray::in_place<float>() const;
template bool SampleArray::in_place<double>() const;
template Eigen::Map<const Matrix<float>, 0, Eigen::OuterStride<>> SampleArray::columns() const;
template Eigen::Map<const Matrix<double>, 0, Eigen::OuterStride<>> SampleArray::columns() const;
template void SampleArray::read(Index, MatrixRef<float>) const;
template void SampleArray::read(Index, MatrixRef<double>) const;
template std::unique_ptr<Reader<float>> make_reader(const SampleArray&);
template std::unique_ptr<Reader<double>> make_reader(const SampleArray&);

}  // namespace tamis::python
