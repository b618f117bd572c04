#include "io/npy_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "tamis/error.hpp"

namespace tamis {
namespace {

constexpr Index longest_header = 1 << 16;

[[noreturn]] void refuse(const std::string& file, std::string_view why) {
  throw FileError(fmt::format("{}: {}", file, why));
}

ElementType type_of(std::string_view descr, const std::string& file) {
  const std::string_view name = descr.substr(0, descr.find_first_of(",}"));
  if (name == "'|u1'" || name == "'|b1'") return ElementType::u8;
  if (name == "'<u2'") return ElementType::u16;
  if (name == "'<f4'") return ElementType::f32;
  if (name == "'<f8'") return ElementType::f64;
  refuse(file,
         fmt::format("entries of type {} cannot be read, only u1, u2, f4, f8 (little-endian); "
                     "in Python: numpy.save(name, array.astype('f4'))",
                     name.substr(0, 40)));
}

// Every product that will be formed fits in an Index.
void check_shape(const NpyHeader& header, const std::string& file) {
  if (header.shape.size() < 2) {
    refuse(file, fmt::format("an array of {} dimension{}; samples need at least two, (n_samples, "
                             "n_features)",
                             header.shape.size(), header.shape.size() == 1 ? "" : "s"));
  }
  Index room = std::numeric_limits<Index>::max() / 2 / size_of(header.type);
  for (std::size_t i = 0; i < header.shape.size(); ++i) {
    const Index n = header.shape[i];
    const bool valid = n >= 1 || (i == 0 && (n == 0 || n == -1));
    if (!valid || n > room)
      refuse(file, fmt::format("a shape of {} is not possible", fmt::join(header.shape, "x")));
    room /= std::max<Index>(n, 1);
  }
}

}  // namespace

// The header is a Python dictionary.
std::string_view npy_value(std::string_view header, std::string_view key, const std::string& file) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos)
    refuse(file, fmt::format("not a valid .npy header: no '{}' in it", key));
  std::string_view value = header.substr(at + key.size() + 3);
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  return value;
}

std::vector<Index> npy_shape(std::string_view header, const std::string& file) {
  const std::string_view text = npy_value(header, "shape", file);
  std::vector<Index> shape;
  const std::size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos)
    refuse(file, "not a valid .npy shape");
  std::string_view rest = text.substr(1, end - 1);
  while (true) {
    const std::size_t digit = rest.find_first_not_of(" ,");
    if (digit == std::string_view::npos) return shape;
    rest.remove_prefix(digit);
    Index n = 0;
    const auto [stop, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), n);
    if (problem != std::errc()) refuse(file, "not a valid .npy shape");
    rest.remove_prefix(std::size_t(stop - rest.data()));
    shape.push_back(n);
  }
}

SampleFormat NpyHeader::format() const {
  return {.shape = {shape.begin() + 1, shape.end()}, .type = type, .unit = unit};
}

Index npy_data_offset(std::string_view preamble, const std::string& file) {
  if (preamble.empty()) refuse(file, "empty");
  if (!preamble.starts_with(npy_magic)) refuse(file, "not a .npy file: it begins with other bytes");
  if (Index(preamble.size()) < npy_preamble) refuse(file, "ends in the middle of its header");
  const auto byte = [&](std::size_t i) { return Index(static_cast<unsigned char>(preamble[i])); };
  const Index version = byte(6);
  if (version < 1 || version > 3)
    refuse(file, fmt::format(".npy version {} is not known, only 1 to 3", version));
  const Index length = version == 1 ? byte(8) + 256 * byte(9)
                                    : byte(8) + 256 * (byte(9) + 256 * (byte(10) + 256 * byte(11)));
  if (length > longest_header) refuse(file, "its .npy header is too long to be true");
  return length + (version == 1 ? 10 : 12);
}

NpyHeader parse_npy_header(std::string_view bytes, const std::string& file) {
  const std::string_view text = bytes.substr(std::min<std::size_t>(bytes.size(), 10));
  NpyHeader header;
  const std::string_view descr = npy_value(text, "descr", file);
  header.type = type_of(descr, file);
  header.unit = descr.starts_with("'|b1'") ? 1 : unit_of(header.type);
  header.fortran_order = npy_value(text, "fortran_order", file).starts_with("True");
  header.shape = npy_shape(text, file);
  check_shape(header, file);
  return header;
}

std::string make_npy_header(ElementType type, const std::vector<Index>& shape, std::size_t size) {
  constexpr const char* descr[] = {"|u1", "<u2", "<f4", "<f8"};
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr[int(type)],
                  fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr std::size_t before = 10, block = 128;
  const std::size_t least = std::max(text.size() + before + 1, size);
  text.resize((least + block - 1) / block * block - before - 1, ' ');
  text += '\n';
  std::string header(npy_magic);
  header += {'\x01', '\x00', char(text.size() & 0xFF), char(text.size() >> 8)};
  return header + text;
}

}  // namespace tamis
