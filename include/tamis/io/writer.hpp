// A file (folder, pipe) of rows, written as they come. Nothing appears under the final name before
// finish().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "tamis/io/sample_format.hpp"
#include "tamis/types.hpp"

namespace tamis {

// The numbers of the rows in a block: consecutive, unless an order is given.
struct Rows {
  Index first = 0;
  std::span<const Index> order = {};

  Index operator[](Index j) const { return order.empty() ? first + j : order[std::size_t(j)]; }
};

struct WriterOptions {
  SampleFormat format;             // of a row; values are multiplied by its unit
  std::optional<Index> rows = {};  // how many there will be, when known
  bool around_zero = false;        // values may be negative: images show 0 as middle gray
  bool force = false;              // an existing file may be replaced
  std::function<std::string(Index)> name = {};  // of a row's image file, "" for a number
  // Asked now and then while a pipe takes nothing; true: Interrupted is thrown.
  std::function<bool()> interrupted = {};
};

template <class T>
class Writer {
 public:
  virtual ~Writer() = default;  // without finish(): no file, unless state() or resume() was called

  // The columns of X as rows of the file; a row may be written again. Formats that can only append
  // throw Error if rows are not consecutive.
  virtual void write(ConstMatrixRef<T> X, const Rows& rows) = 0;

  // Everything written so far is out of our hands, and will be there for resume(), in another
  // process. Returns what that needs to know.
  virtual std::string state() = 0;
  virtual void resume(const std::string& state) = 0;

  // The file is complete: it gets its name.
  virtual void finish() = 0;
};

// Chooses the format by the name: see docs/formats.md. Throws FileError, also if the file exists
// and must not be replaced.
template <class T>
std::unique_ptr<Writer<T>> open_writer(const std::string& path, const WriterOptions& options);

}  // namespace tamis
