// The header of NumPy's .npy files, versions 1 to 3.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tamis/io/sample_format.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct NpyHeader {
  ElementType type = ElementType::f32;
  double unit = 1;
  bool fortran_order = false;
  std::vector<Index> shape;  // of the whole array; the first may be −1 in a stream: no end known

  Index samples() const { return shape[0]; }
  // Of one sample: all but the first dimension
  SampleFormat format() const;
};

inline constexpr Index npy_preamble = 12;  // bytes to look at before the header's length is known
inline constexpr std::string_view npy_magic{"\x93NUMPY", 6};

// Where the data begin, from the first npy_preamble bytes. `file` is for messages. Throws
// FileError.
Index npy_data_offset(std::string_view preamble, const std::string& file);

// What a header says: the text after 'key':, and the shape of the whole array. Throw FileError.
std::string_view npy_value(std::string_view header, std::string_view key, const std::string& file);
std::vector<Index> npy_shape(std::string_view header, const std::string& file);

// `bytes`: everything before the data. Throws FileError: not an array of samples that can be used.
NpyHeader parse_npy_header(std::string_view bytes, const std::string& file);

// In C order, padded to at least `size` bytes.
std::string make_npy_header(ElementType type, const std::vector<Index>& shape,
                            std::size_t size = 0);

}  // namespace tamis
