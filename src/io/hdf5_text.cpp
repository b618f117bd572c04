#include "io/hdf5.hpp"

namespace tamis {
namespace {

constexpr std::size_t longest_text = std::size_t(1) << 26;

}  // namespace

std::optional<std::string> read_text(const H5::Attribute& attribute) {
  if (attribute.getTypeClass() != H5T_STRING || attribute.getSpace().getSimpleExtentNpoints() != 1)
    return std::nullopt;
  const H5::StrType type = attribute.getStrType();
  if (type.isVariableStr()) {
    char* stored = nullptr;
    attribute.read(type, static_cast<void*>(&stored));
    if (stored == nullptr) return std::nullopt;
    std::string text(stored);
    H5free_memory(stored);
    return text;
  }
  if (type.getSize() > longest_text) return std::nullopt;
  std::string text(type.getSize(), '\0');
  attribute.read(type, static_cast<void*>(text.data()));
  return text.substr(0, text.find('\0'));
}

}  // namespace tamis
