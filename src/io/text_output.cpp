#include "io/text_output.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "tamis/error.hpp"

namespace tamis {

// Only when there is something to write, so that a run that fails early leaves nothing.
void TextOutput::open() {
  if (!file_) file_ = std::make_unique<ByteFile>(target_.part(), ByteFile::Mode::create);
}

void TextOutput::append(std::string_view text) {
  open();
  file_->write(std::as_bytes(std::span(text)), size_);
  size_ += Index(text.size());
}

void TextOutput::replace_beginning(std::string_view text) {
  open();
  file_->write(std::as_bytes(std::span(text)), 0);
  size_ = std::max(size_, Index(text.size()));
}

std::string TextOutput::state(const std::vector<Index>& counts) {
  open();
  file_->sync();
  target_.keep();
  return fmt::format("{} {}", size_, fmt::join(counts, " "));
}

std::vector<Index> TextOutput::resume(const std::string& state, std::size_t counts) {
  target_.keep();  // whatever is wrong, what is there is not ours to remove
  std::vector<Index> numbers;
  const char* at = state.data();
  const char* const end = at + state.size();
  for (Index n = 0; at < end; at = at < end ? at + 1 : at) {
    const auto [stop, problem] = std::from_chars(at, end, n);
    if (problem != std::errc() || n < 0) break;
    numbers.push_back(n);
    at = stop;
  }
  if (numbers.size() != counts + 1)
    throw FileError(target_.path() + ": the stopped run wrote another kind of file");
  std::error_code problem;
  const auto there = std::filesystem::file_size(target_.part(), problem);
  if (problem || Index(there) < numbers[0])
    throw FileError(target_.part() + ": lost what the stopped run had written");
  std::filesystem::resize_file(target_.part(), std::uintmax_t(numbers[0]), problem);
  if (problem)
    throw FileError(fmt::format("{}: cannot be written: {}", target_.part(), problem.message()));
  file_ = std::make_unique<ByteFile>(target_.part(), ByteFile::Mode::change);
  size_ = numbers[0];
  return {numbers.begin() + 1, numbers.end()};
}

void TextOutput::finish() {
  open();
  file_.reset();
  target_.publish();
}

}  // namespace tamis
