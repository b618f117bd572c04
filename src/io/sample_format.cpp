#include "tamis/io/sample_format.hpp"

#include <functional>
#include <numeric>

namespace tamis {

std::string_view name_of(ElementType type) {
  switch (type) {
    case ElementType::u8:
      return "u8";
    case ElementType::u16:
      return "u16";
    case ElementType::f32:
      return "f32";
    case ElementType::f64:
      return "f64";
  }
  return "unknown";
}

Index size_of(ElementType type) {
  switch (type) {
    case ElementType::u8:
      return 1;
    case ElementType::u16:
      return 2;
    case ElementType::f32:
      return 4;
    case ElementType::f64:
      return 8;
  }
  return 0;
}

double unit_of(ElementType type) {
  if (type == ElementType::u8) return 255;
  if (type == ElementType::u16) return 65535;
  return 1;
}

Index SampleFormat::features() const {
  return std::accumulate(shape.begin(), shape.end(), Index(1), std::multiplies<>());
}

}  // namespace tamis
