#include "io/entry_sorter.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <queue>
#include <utility>

#include "tamis/error.hpp"

namespace tamis {
namespace {

constexpr Index entry_bytes = sizeof(MatrixEntry);
constexpr Index usual_buffer = 4096;  // entries
constexpr Index least_buffer = 256;

bool before(const MatrixEntry& a, const MatrixEntry& b) {
  return std::pair(a.row, a.column) < std::pair(b.row, b.column);
}

// Writes entries one after the other.
class EntryOutput {
 public:
  explicit EntryOutput(ByteFile& file) : file_(file) { entries_.reserve(usual_buffer); }

  void add(const MatrixEntry& entry) {
    entries_.push_back(entry);
    if (Index(entries_.size()) == usual_buffer) flush();
  }
  void flush() {
    file_.write(std::as_bytes(std::span(entries_)), written_ * entry_bytes);
    written_ += Index(entries_.size());
    entries_.clear();
  }

 private:
  ByteFile& file_;
  Index written_ = 0;
  std::vector<MatrixEntry> entries_;
};

}  // namespace

std::unique_ptr<ByteFile> make_nameless_file() {
  std::error_code problem;
  const auto folder = std::filesystem::temp_directory_path(problem);
  if (problem) throw FileError("there is no folder for temporary files; TMPDIR can name one");
  std::string path = (folder / "tamis-XXXXXX").string();
  const int made = ::mkstemp(path.data());
  if (made < 0)
    throw FileError(
        fmt::format("{}: no temporary file can be made: {}; TMPDIR can name another "
                    "folder",
                    folder.string(), std::strerror(errno)));
  ::close(made);
  auto file = std::make_unique<ByteFile>(path, ByteFile::Mode::change);
  ::unlink(path.c_str());
  return file;
}

EntryRange::EntryRange(const ByteFile& file, Index begin, Index end, Index buffer)
    : file_(&file), begin_(begin), end_(end), buffer_(buffer) {}

bool EntryRange::fill() {
  const Index n = std::min(buffer_, end_ - begin_);
  if (n <= 0) return false;
  entries_.resize(std::size_t(n));
  file_->read(std::as_writable_bytes(std::span(entries_)), begin_ * entry_bytes);
  begin_ += n;
  at_ = 0;
  return true;
}

SortedEntries::SortedEntries(std::unique_ptr<ByteFile> file, Index entries)
    : file_(std::move(file)), entries_(entries), range_(*file_, 0, entries, usual_buffer) {}

void SortedEntries::seek(Index row) {
  Index low = 0, high = entries_;
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    MatrixEntry entry;
    EntryRange(*file_, middle, middle + 1, 1).next(entry);
    if (Index(entry.row) < row)
      low = middle + 1;
    else
      high = middle;
  }
  range_ = EntryRange(*file_, low, entries_, usual_buffer);
}

EntrySorter::EntrySorter(Index run) : run_(std::max<Index>(run, 1)), runs_(make_nameless_file()) {}

void EntrySorter::add(const MatrixEntry& entry) {
  entries_.push_back(entry);
  if (Index(entries_.size()) >= run_) write_run();
}

void EntrySorter::write_run() {
  std::sort(entries_.begin(), entries_.end(), before);
  const Index end = ends_.empty() ? 0 : ends_.back();
  runs_->write(std::as_bytes(std::span(entries_)), end * entry_bytes);
  ends_.push_back(end + Index(entries_.size()));
  entries_.clear();
}

SortedEntries EntrySorter::finish() {
  if (!entries_.empty()) write_run();
  entries_ = {};
  const Index total = ends_.empty() ? 0 : ends_.back();
  if (ends_.size() <= 1) return {std::move(runs_), total};

  // Together the buffers take no more memory than a run.
  const Index buffer = std::max(run_ / Index(ends_.size()), least_buffer);
  std::vector<EntryRange> ranges;
  for (std::size_t i = 0; i < ends_.size(); ++i)
    ranges.emplace_back(*runs_, i == 0 ? 0 : ends_[i - 1], ends_[i], buffer);

  using Head = std::pair<MatrixEntry, std::size_t>;  // the next of a run, and which run
  const auto later = [](const Head& a, const Head& b) {
    return before(b.first, a.first) || (!before(a.first, b.first) && b.second < a.second);
  };
  std::priority_queue<Head, std::vector<Head>, decltype(later)> heads(later);
  const auto push = [&](std::size_t i) {
    if (MatrixEntry entry; ranges[i].next(entry)) heads.emplace(entry, i);
  };
  for (std::size_t i = 0; i < ranges.size(); ++i) push(i);

  auto merged = make_nameless_file();
  EntryOutput output(*merged);
  while (!heads.empty()) {
    const auto [entry, i] = heads.top();
    heads.pop();
    output.add(entry);
    push(i);
  }
  output.flush();
  return {std::move(merged), total};
}

}  // namespace tamis
