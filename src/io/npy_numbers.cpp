#include "io/npy_numbers.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <span>

#include "io/byte_file.hpp"
#include "io/npy_header.hpp"
#include "tamis/error.hpp"

namespace tamis {

std::vector<Index> read_npy_numbers(const std::string& path) {
  const ByteFile file(path, ByteFile::Mode::read);
  std::string bytes(std::size_t(file.size()), '\0');
  file.read(std::as_writable_bytes(std::span(bytes)), 0);
  const auto data = std::size_t(npy_data_offset(bytes.substr(0, npy_preamble), path));
  if (data > bytes.size()) throw FileError(path + ": ends in the middle of its header");
  const std::string_view header = std::string_view(bytes).substr(0, data);
  const std::string_view type = npy_value(header, "descr", path);
  const std::vector<Index> shape = npy_shape(header, path);
  const bool whole = type.size() > 4 && (type[1] == '<' || type[1] == '|') &&
                     (type[2] == 'i' || type[2] == 'u') && type[4] == '\'' &&
                     std::string_view("1248").find(type[3]) != std::string_view::npos;
  if (!whole || shape.size() != 1 || shape[0] < 0)
    throw FileError(path + ": not a list of whole numbers, an array of one dimension");
  const auto size = std::size_t(type[3] - '0');
  // Divided, because the product may be larger than any number.
  if ((bytes.size() - data) / size < std::size_t(shape[0])) throw FileError(path + ": cut short");
  std::vector<Index> numbers;
  for (std::size_t at = data; Index(numbers.size()) < shape[0]; at += size) {
    std::uint64_t number = 0;
    for (std::size_t i = size; i > 0; --i)
      number = number << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
    const bool negative = type[2] == 'i' && (number >> (8 * size - 1) & 1) != 0;
    if (negative || (number >> 62) != 0)
      throw FileError(fmt::format("{}: entry {} is negative or too large", path, numbers.size()));
    numbers.push_back(Index(number));
  }
  return numbers;
}

}  // namespace tamis
