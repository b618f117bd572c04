// Making HDF5 files that no program of good will would write, by the library itself.
#pragma once

#include <H5Cpp.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"

namespace tamis::fuzz {

// Whether the library did it
template <class Work>
bool edited(const Work& work) {
  H5::Exception::dontPrint();
  try {
    work();
    return true;
  } catch (const H5::Exception&) {
    return false;
  }
}

inline H5::DataType any_type(Choices& choices) {
  switch (choices.below(12)) {
    case 0:
      return H5::PredType::NATIVE_UINT8;
    case 1:
      return H5::PredType::NATIVE_UINT16;
    case 2:
      return H5::PredType::NATIVE_FLOAT;
    case 3:
      return H5::PredType::STD_I64BE;
    case 4:
      return H5::PredType::STD_I8LE;
    // NOLINTBEGIN(cppcoreguidelines-slicing): it is a handle, nothing of the type is lost
    case 5:
      return H5::StrType(H5::PredType::C_S1, H5T_VARIABLE);
    case 6:
      return H5::StrType(H5::PredType::C_S1, 1 + choices.below(40));
    case 7: {
      H5::FloatType type(H5::PredType::IEEE_F32LE);
      type.setPrecision(1 + choices.below(32));
      return type;
    }
    case 8: {
      const H5::IntType base(H5::PredType::NATIVE_INT8);
      H5::EnumType type(base);
      std::int8_t value = 1;
      type.insert("TRUE", &value);
      return type;
    }
    case 9: {
      H5::CompType type(std::size_t(16));
      type.insertMember("x", 0, H5::PredType::NATIVE_DOUBLE);
      return type;
    }
    case 10: {
      const hsize_t n = 2;
      return H5::ArrayType(H5::PredType::NATIVE_DOUBLE, 1, &n);
    }
    // NOLINTEND(cppcoreguidelines-slicing)
    default:
      return H5::PredType::NATIVE_DOUBLE;
  }
}

inline std::vector<hsize_t> any_sizes(Choices& choices) {
  std::vector<hsize_t> sizes(choices.below(5));
  for (hsize_t& n : sizes) n = choices.below(3) == 0 ? choices.size() : 1 + choices.below(6);
  return sizes;
}

inline H5::DataSpace any_space(Choices& choices) {
  const std::vector<hsize_t> sizes = any_sizes(choices);
  if (sizes.size() == 4) return {H5S_NULL};
  return sizes.empty() ? H5::DataSpace() : H5::DataSpace(int(sizes.size()), sizes.data());
}

// Of any type and shape, plain or in chunks; with numbers in it, if there is room for them
inline void add_dataset(const H5::Group& group, const std::string& name, Choices& choices) {
  const H5::DataType type = any_type(choices);
  const std::vector<hsize_t> sizes = any_sizes(choices);
  const H5::DataSpace space = sizes.empty()
                                  ? H5::DataSpace(choices.below(2) == 0 ? H5S_SCALAR : H5S_NULL)
                                  : H5::DataSpace(int(sizes.size()), sizes.data());
  H5::DSetCreatPropList properties;
  if (!sizes.empty() && choices.below(2) == 1) {
    std::vector<hsize_t> chunk(sizes.size());
    for (hsize_t& n : chunk) n = choices.below(3) == 0 ? choices.size() : 1 + choices.below(4);
    properties.setChunk(int(chunk.size()), chunk.data());
    if (choices.below(2) == 1) properties.setDeflate(1);
  }
  const H5::DataSet dataset = group.createDataSet(name, type, space, properties);
  constexpr hssize_t most = 4096;
  const hssize_t n = space.getSimpleExtentNpoints();
  if (n < 1 || n > most) return;
  std::vector<double> values;
  for (hssize_t i = 0; i < n; ++i) values.push_back(choices.more() ? choices.number() : double(i));
  edited([&] { dataset.write(values.data(), H5::PredType::NATIVE_DOUBLE); });
}

inline void add_attribute(const H5::Group& group, const std::string& name, Choices& choices) {
  const H5::DataType type = any_type(choices);
  const H5::DataSpace space = any_space(choices);
  constexpr hssize_t most = 1000;
  if (space.getSimpleExtentNpoints() > most) return;
  const H5::Attribute attribute = group.createAttribute(name, type, space);
  if (type.getClass() == H5T_STRING || choices.below(2) == 0) return;  // left empty
  const std::vector<double> values(
      std::size_t(std::max<hssize_t>(space.getSimpleExtentNpoints(), 1)), choices.number());
  edited([&] { attribute.write(H5::PredType::NATIVE_DOUBLE, values.data()); });
}

inline void add_text(const H5::Group& group, const std::string& name, const std::string& text) {
  const H5::StrType type(H5::PredType::C_S1, std::max<std::size_t>(text.size(), 1));
  group.createDataSet(name, type, H5::DataSpace()).write(text.c_str(), type);
}

}  // namespace tamis::fuzz
