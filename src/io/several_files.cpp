// Several files of one kind as one long array: those that a pattern matches, in natural order.
//
// All are looked into when the pattern is opened, for their sizes; after that only those are open
// that samples are being read from, and not more than a few.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "io/file_pattern.hpp"
#include "io/formats.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t most_open = 64;

// "part*.h5:/data" stands for "part1.h5:/data", …
std::vector<std::string> names_of(const std::string& input) {
  const std::string pattern = file_of(input);
  std::vector<std::string> names = files_of_pattern(pattern);
  if (names.empty()) throw FileError(input + ": no files of such a name");
  for (std::string& name : names) name += input.substr(pattern.size());
  return names;
}

template <class T>
class SeveralFiles final : public Reader<T> {
 public:
  SeveralFiles(const std::string& input, OpenOptions options) : options_(std::move(options)) {
    Index first = 0;
    for (const std::string& name : names_of(input)) {
      const auto reader = open_reader<T>(name, options_);
      if (files_.empty()) format_ = reader->format();
      check(name, reader->format());
      files_.push_back({.name = name, .first = first, .samples = reader->samples()});
      first += reader->samples().value_or(0);
      any_sample_ = any_sample_ && reader->access() == Access::random;
      bytes_ = bytes_ && reader->stores_bytes();
    }
  }

  const SampleFormat& format() const override { return format_; }
  std::optional<Index> samples() const override {
    if (!std::ranges::all_of(files_, [](const File& file) { return file.samples.has_value(); }))
      return {};
    return files_.back().first + *files_.back().samples;
  }
  Access access() const override { return any_sample_ ? Access::random : Access::restart; }

  void seek(Index sample) override {
    current_ = 0;
    if (any_sample_) {
      // The last that begins so early: those that are empty begin where the next one does.
      const auto after = std::ranges::upper_bound(files_, sample, {}, &File::first);
      current_ = std::size_t(after - files_.begin()) - 1;
    }
    next_ = sample - files_[current_].first;
    moved_ = true;
  }

  Index read(MatrixRef<T> V) override {
    return read_all<T>(V, [](Reader<T>& reader, auto part) { return reader.read(part); });
  }
  bool stores_bytes() const override { return bytes_; }
  Index read_bytes(MatrixRef<std::uint8_t> V) override {
    return read_all<std::uint8_t>(
        V, [](Reader<T>& reader, auto part) { return reader.read_bytes(part); });
  }

 private:
  struct File {
    std::string name;
    Index first;                           // sample, of all files
    std::optional<Index> samples;          // if it tells
    std::unique_ptr<Reader<T>> open = {};  // null: closed
    Index used = 0;                        // when it was, last
  };

  void check(const std::string& name, const SampleFormat& found) const {
    if (found.shape != format_.shape) {
      throw FileError(fmt::format(
          "{}: a sample of it has {} features, one of {} has {}: all files need the same", name,
          fmt::join(found.shape, "x"), files_[0].name, fmt::join(format_.shape, "x")));
    }
    if (found.unit != format_.unit) {
      throw FileError(
          fmt::format("{}: its entries are {}, those of {} are {}: all need to be of the same kind",
                      name, name_of(found.type), files_[0].name, name_of(format_.type)));
    }
  }

  template <class Entry, class Read>
  Index read_all(MatrixRef<Entry> V, const Read& read_some) {
    Index n = 0;
    while (n < V.cols() && current_ < files_.size()) {
      Reader<T>& reader = open(files_[current_]);
      if (std::exchange(moved_, false)) reader.seek(next_);
      const Index most = V.cols() - n;
      const Index more = read_some(reader, V.middleCols(n, most));
      n += more;
      if (more == most) break;
      ++current_;
      next_ = 0;
      moved_ = true;
    }
    return n;
  }

  Reader<T>& open(File& file) {
    file.used = ++clock_;
    if (!file.open) {
      make_room();
      file.open = open_reader<T>(file.name, options_);
      check(file.name, file.open->format());
      if (file.open->samples() != file.samples)
        throw FileError(file.name + ": has another number of samples than a moment ago");
    }
    return *file.open;
  }

  void make_room() {
    const auto is_open = [](const File& file) { return file.open != nullptr; };
    if (std::size_t(std::ranges::count_if(files_, is_open)) < most_open) return;
    File* oldest = nullptr;
    for (File& file : files_)
      if (is_open(file) && (oldest == nullptr || file.used < oldest->used)) oldest = &file;
    oldest->open = nullptr;
  }

  OpenOptions options_;
  std::vector<File> files_;
  SampleFormat format_;
  bool any_sample_ = true;
  bool bytes_ = true;
  std::size_t current_ = 0;  // file
  Index next_ = 0;           // sample in it
  bool moved_ = true;        // it has to be sought
  Index clock_ = 0;
};

}  // namespace

bool names_several_files(const std::string& input) {
  const std::string file = file_of(input);
  return has_ending(file, {".npy", ".csv", ".tsv", ".h5", ".hdf5", ".mtx"}) && is_pattern(file);
}

template <class T>
std::unique_ptr<Reader<T>> open_several_files(const std::string& input,
                                              const OpenOptions& options) {
  return std::make_unique<SeveralFiles<T>>(input, options);
}

template std::unique_ptr<Reader<float>> open_several_files(const std::string&, const OpenOptions&);
template std::unique_ptr<Reader<double>> open_several_files(const std::string&, const OpenOptions&);

}  // namespace tamis
