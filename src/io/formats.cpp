#include "io/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "tamis/error.hpp"

namespace tamis {
namespace {

template <class Format>
[[noreturn]] void no_format(const std::string& name, const std::vector<Format>& formats,
                            std::string_view verb) {
  std::vector<std::string_view> known;
  known.reserve(formats.size());
  for (const Format& format : formats) known.push_back(format.written_as);
  throw FileError(fmt::format("{}: cannot tell its format from the name; what can be {}: {}", name,
                              verb, fmt::join(known, ", ")));
}

template <class T>
std::unique_ptr<Reader<T>> of_possible_size(std::unique_ptr<Reader<T>> reader,
                                            const std::string& input) {
  const Index F = reader->format().features();
  if (F > most_features)
    throw FileError(fmt::format("{}: a sample has {} features, more than {} are not possible",
                                input == "-" ? "standard input" : input, F, most_features));
  return reader;
}

}  // namespace

bool has_ending(std::string_view name, std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view ending) {
    if (name.size() <= ending.size()) return false;
    return std::ranges::equal(name.substr(name.size() - ending.size()), ending, {},
                              [](unsigned char c) { return std::tolower(c); });
  });
}

template <class T>
std::unique_ptr<Reader<T>> open_reader(const std::string& input, const OpenOptions& options) {
  for (const ReaderFormat<T>& format : reader_formats<T>())
    if (format.matches(input)) return of_possible_size(format.open(input, options), input);
  std::error_code ignored;
  if (!std::filesystem::exists(input, ignored)) throw FileError(input + ": no such file or folder");
  no_format(input, reader_formats<T>(), "read");
}

template <class T>
std::unique_ptr<Writer<T>> open_writer(const std::string& path, const WriterOptions& options) {
  if (const WriterFormat<T>* format = find_writer_format<T>(path))
    return format->create(path, options);
  no_format(path, writer_formats<T>(), "written");
}

template std::unique_ptr<Reader<float>> open_reader(const std::string&, const OpenOptions&);
template std::unique_ptr<Reader<double>> open_reader(const std::string&, const OpenOptions&);
template std::unique_ptr<Writer<float>> open_writer(const std::string&, const WriterOptions&);
template std::unique_ptr<Writer<double>> open_writer(const std::string&, const WriterOptions&);

}  // namespace tamis
