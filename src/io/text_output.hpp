// A text file that only grows, under its temporary name until it is complete.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "io/byte_file.hpp"
#include "io/convert.hpp"
#include "io/part_file.hpp"
#include "tamis/types.hpp"

namespace tamis {

class TextOutput {
 public:
  TextOutput(const std::string& path, bool force) : target_(path, force) {}

  void append(std::string_view text);
  // Changes what is at the beginning.
  void replace_beginning(std::string_view text);

  // The state of a Writer: how long the file is, and some counts of the format's own.
  std::string state(const std::vector<Index>& counts);
  // Those counts; what was written after the state was taken is cut off.
  std::vector<Index> resume(const std::string& state, std::size_t counts);

  void finish();

 private:
  void open();

  PartFile target_;
  std::unique_ptr<ByteFile> file_;
  Index size_ = 0;
};

// Appends the number that the format stores for x, in as few digits as give it back exactly.
template <class T>
void append_number(std::string& text, T x, const SampleFormat& format) {
  with_type(format.type, [&]<class Stored>(Stored) {
    // A float has no more digits than these, whatever it is to be read as.
    using Printed = std::conditional_t<std::is_same_v<Stored, double>, T, Stored>;
    fmt::format_to(std::back_inserter(text), "{}", stored<Printed>(x * T(format.unit)));
  });
}

}  // namespace tamis
