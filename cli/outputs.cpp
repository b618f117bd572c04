#include "outputs.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "interrupt.hpp"
#include "io/formats.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

bool writes_pictures(const std::string& path) {
  const auto* format = find_writer_format<float>(path);
  return format != nullptr && format->pictures;
}

// Numbers that need not be what the input's entries can hold: in its units, but not of its type.
template <class T>
WriterOptions as_numbers(WriterOptions options) {
  options.format.type = sizeof(T) == sizeof(double) ? ElementType::f64 : ElementType::f32;
  return options;
}

// Pictures have integer entries whatever the input has.
WriterOptions as_pictures(WriterOptions options) {
  if (unit_of(options.format.type) == 1) options.format.type = ElementType::u8;
  options.format.unit = unit_of(options.format.type);
  return options;
}

}  // namespace

template <class T>
Outputs::Outputs(const ReaderSource<T>& source, Index rank, bool force) : rank_(rank) {
  options_.format = source.format();
  options_.rows = source.samples();
  options_.force = force;
  options_.interrupted = interrupt_requested;
  options_.name = [&source](Index row) { return source.name(row); };
}

template <class T>
std::unique_ptr<Writer<T>> Outputs::codes(const std::string& path) const {
  if (path.empty()) return nullptr;
  WriterOptions options = as_numbers<T>(options_);
  options.format.shape = {rank_};
  return open_writer<T>(path, options);
}

template <class T>
std::unique_ptr<Writer<T>> Outputs::outliers(const std::string& path) const {
  if (path.empty()) return nullptr;
  WriterOptions options = writes_pictures(path) ? as_pictures(options_) : as_numbers<T>(options_);
  options.around_zero = true;
  return open_writer<T>(path, options);
}

template <class T>
std::unique_ptr<Writer<T>> Outputs::samples(const std::string& path) const {
  if (path.empty()) return nullptr;
  return open_writer<T>(path, writes_pictures(path) ? as_pictures(options_) : options_);
}

void check_writable(const std::vector<std::string>& paths, bool shuffled, const Common& common) {
  check_outputs(paths, common.force);
  for (const std::string& path : paths) {
    if (path == "-" && common.json)
      throw SettingsError("--json and an output to standard output would be mixed up");
    std::error_code ignored;
    if (!path.empty() && !writes_pictures(path) && std::filesystem::is_directory(path, ignored))
      throw FileError(path + ": is a folder; a file was expected");
    const auto* format = find_writer_format<float>(path);
    if (shuffled && format != nullptr && format->in_order_only) {
      throw SettingsError(fmt::format(
          "{}: rows of shuffled samples cannot be appended in order; write to a .npy file",
          path == "-" ? "standard output" : path));
    }
  }
}

template <class T>
std::unique_ptr<Writer<T>> Outputs::masks(const std::string& path) const {
  if (path.empty()) return nullptr;
  WriterOptions options = options_;
  options.format.type = ElementType::u8;
  options.format.unit = unit_of(ElementType::u8);
  return open_writer<T>(path, options);
}

template <class T>
std::unique_ptr<Writer<T>> Outputs::dictionary(const std::string& path) const {
  if (path.empty()) return nullptr;
  WriterOptions options = writes_pictures(path) ? as_pictures(options_) : as_numbers<T>(options_);
  if (!writes_pictures(path))
    options.format = {.shape = {options_.format.features()}, .type = options.format.type};
  options.rows = rank_;
  options.name = {};
  return open_writer<T>(path, options);
}

bool can_be_resumed(const std::string& path) {
  const auto* format = find_writer_format<float>(path);
  return format == nullptr || format->resumable;
}

Index Outputs::last_epoch(const Settings& settings) {
  const bool whole =
      std::visit([](const auto& algorithm) { return algorithm.whole; }, settings.algorithm);
  return whole ? 0 : settings.epochs - 1;
}

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define TAMIS_INSTANTIATE(T)                                                       \
  template Outputs::Outputs(const ReaderSource<T>&, Index, bool);                  \
  template std::unique_ptr<Writer<T>> Outputs::codes(const std::string&) const;    \
  template std::unique_ptr<Writer<T>> Outputs::outliers(const std::string&) const; \
  template std::unique_ptr<Writer<T>> Outputs::samples(const std::string&) const;  \
  template std::unique_ptr<Writer<T>> Outputs::masks(const std::string&) const;    \
  template std::unique_ptr<Writer<T>> Outputs::dictionary(const std::string&) const;
// NOLINTEND(bugprone-macro-parentheses)
TAMIS_INSTANTIATE(float)
TAMIS_INSTANTIATE(double)
#undef TAMIS_INSTANTIATE

}  // namespace tamis
