// Text tables: one line per sample, fields separated by commas, semicolons or tabs, with or without
// a line of names. Lines are read as they are needed; a file of any length takes the same memory.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "io/formats.hpp"
#include "io/line_reader.hpp"
#include "io/text_number.hpp"
#include "io/text_table.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

// The fields of a line, one after the other, without blanks and quotes around them.
class Fields {
 public:
  Fields(std::string_view line, char separator) : rest_(line), separator_(separator) {}

  bool more() const { return more_; }
  bool open_quote() const { return quoted_; }

  std::string_view next() {
    quoted_ = false;
    std::size_t end = 0;
    for (; end < rest_.size() && (quoted_ || rest_[end] != separator_); ++end)
      if (rest_[end] == '"') quoted_ = !quoted_;
    std::string_view field = trimmed(rest_.substr(0, end));
    if (field.size() >= 2 && field.starts_with('"') && field.ends_with('"'))
      field = trimmed(field.substr(1, field.size() - 2));
    pass(end);
    return field;
  }

  // The same for the usual case, a bare number and nothing else; otherwise nothing happens.
  template <class T>
  bool next_number(T& value) {
    const char* const begin = rest_.data();
    const char* const end = begin + rest_.size();
    const auto [stop, problem] = std::from_chars(begin, end, value);
    if (problem != std::errc() || (stop != end && *stop != separator_)) return false;
    pass(std::size_t(stop - begin));
    return true;
  }

 private:
  void pass(std::size_t end) {
    more_ = end < rest_.size();
    rest_.remove_prefix(more_ ? end + 1 : end);
  }

  std::string_view rest_;
  char separator_;
  bool more_ = true;  // a line without any separator has one field, if an empty one
  bool quoted_ = false;
};

template <class T>
bool parse_entry(std::string_view field, T& value) {
  if (field.empty() || field == "NA" || field == "N/A") {
    value = std::numeric_limits<T>::quiet_NaN();
    return true;
  }
  return parse_number(field, value);
}

// A comma may be part of a name or a decimal comma; a semicolon or a tab hardly is.
char separator_of(const std::string& path, std::string_view line) {
  if (has_ending(path, {".tsv"})) return '\t';
  bool quoted = false, tab = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted && c == ';') return c;
    tab = tab || (!quoted && c == '\t');
  }
  return tab && line.find(',') == std::string_view::npos ? '\t' : ',';
}

// 0, 1, …, at least so many: what pandas calls columns that have no other names
bool counts_up(Fields fields, Index least) {
  Index n = 0;
  for (; fields.more(); ++n)
    if (fields.next() != fmt::to_string(n)) return false;
  return n >= least;
}

// pandas writes its index as a first column without a name.
bool skip_index(Fields& fields) { return fields.next().empty() && fields.more(); }

bool has_names(std::string_view line, char separator) {
  double number = 0;
  for (Fields fields(line, separator); fields.more();)
    if (!parse_entry(fields.next(), number)) return true;
  return false;
}

// As a sample it would begin with a missing entry, and who allows that would learn the index. Fewer
// fields may well be a sample.
void refuse_index(const std::string& path, Fields first) {
  if (skip_index(first) && counts_up(first, 3))
    throw FileError(path +
                    ": its first line is what pandas writes above an index and columns without "
                    "names; write it with index=False, or say what it is with --header yes or no");
}

void skip_byte_order_mark(LineReader& lines) {
  const auto line = lines.next();
  const bool wide = line && (line->starts_with("\xFF\xFE") || line->starts_with("\xFE\xFF"));
  if (wide) throw FileError(lines.path() + ": UTF-16 text; save it as UTF-8");
  lines.go_to({.offset = line && line->starts_with("\xEF\xBB\xBF") ? 3 : 0});
}

template <class T>
class TextTableReader final : public Reader<T> {
 public:
  TextTableReader(const std::string& path, const OpenOptions& options) : lines_(path) {
    skip_byte_order_mark(lines_);
    const LineReader::Place begin = lines_.place();
    const auto first = lines_.next();
    if (first) separator_ = separator_of(path, *first);
    if (!first || ends_at(*first))
      throw FileError(path + ": empty; a table with one line per sample was expected");
    Index F = 0;
    for (Fields fields(*first, separator_); fields.more(); ++F) fields.next();
    format_ = {.shape = {F}, .type = ElementType::f64};
    if (!options.header) refuse_index(path, {*first, separator_});
    const bool names = options.header ? *options.header : has_names(*first, separator_);
    if (!names) lines_.go_to(begin);
    data_ = lines_.place();
    const auto sample = lines_.next();
    if (!sample || ends_at(*sample)) throw FileError(path + ": has a line of names but no samples");
    lines_.go_to(data_);
  }

  const SampleFormat& format() const override { return format_; }
  // Only reading all of it would tell.
  std::optional<Index> samples() const override { return std::nullopt; }
  Access access() const override { return Access::restart; }
  void seek(Index) override { lines_.go_to(data_); }

  Index read(MatrixRef<T> V) override {
    Index n = 0;
    for (; n < V.cols(); ++n) {
      const auto line = lines_.next();
      if (!line || ends_at(*line)) break;
      parse_line(*line, V.col(n));
    }
    return n;
  }

 private:
  void parse_line(std::string_view line, VectorRef<T> v) const {
    const Index F = v.size();
    Index i = 0;
    for (Fields fields(line, separator_); fields.more(); ++i) {
      T value{};
      if (!fields.next_number(value)) parse_slowly(fields, i, value);
      if (i < F) v[i] = value;
    }
    if (i != F)
      lines_.fail(fmt::format("has {} field{}, the lines before it {}", i, i == 1 ? "" : "s", F));
  }

  void parse_slowly(Fields& fields, Index i, T& value) const {
    const std::string_view field = fields.next();
    if (fields.open_quote()) lines_.fail(fmt::format("column {}: a quote is not closed", i + 1));
    if (!parse_entry(field, value))
      lines_.fail(fmt::format("column {}: \"{}\" is not a number", i + 1, shown(field)));
  }

  // Empty lines are allowed at the end, and only there: is this the first of them?
  bool ends_at(std::string_view line) {
    if (!blank(line)) return false;
    const Index number = lines_.line();
    while (const auto more = lines_.next())
      if (!blank(*more))
        throw FileError(
            fmt::format("{}: line {} is empty, but more lines follow", lines_.path(), number));
    return true;
  }
  // Tabs may separate missing entries.
  bool blank(std::string_view line) const {
    return line.find_first_not_of(separator_ == '\t' ? " \r" : " \t\r") == std::string_view::npos;
  }

  LineReader lines_;
  LineReader::Place data_;
  char separator_ = ',';
  SampleFormat format_;
};

}  // namespace

std::string doubt_about_names(const std::string& path, std::optional<bool> header) {
  LineReader lines(path);
  skip_byte_order_mark(lines);
  const auto line = lines.next();
  if (!line) return {};
  const char separator = separator_of(path, *line);
  if (!header && counts_up({*line, separator}, 2))
    return path +
           ": its first line counts 0, 1, 2, ... like the names that pandas gives to columns, but "
           "is taken for a sample; --header yes takes it for names, --header no agrees";
  Fields fields(*line, separator);
  if (header.value_or(has_names(*line, separator)) && skip_index(fields))
    return path +
           ": its first column has no name, like the index that pandas writes, but is taken for a "
           "feature; index=False leaves it out";
  return {};
}

template <class T>
std::unique_ptr<Reader<T>> open_text_table(const std::string& path, const OpenOptions& options) {
  return std::make_unique<TextTableReader<T>>(path, options);
}

template std::unique_ptr<Reader<float>> open_text_table(const std::string&, const OpenOptions&);
template std::unique_ptr<Reader<double>> open_text_table(const std::string&, const OpenOptions&);

}  // namespace tamis
