// Flags about the input, and the input they describe.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "tamis/io/prefetch.hpp"
#include "tamis/io/reader.hpp"
#include "tamis/io/reader_source.hpp"

namespace tamis {

struct InputFlags {
  std::string path;
  std::string resize;
  bool color = false;
  std::string header = "auto";
  StreamOptions stream;
  Index limit = 0;  // 0: all
};

inline constexpr const char* input_help =
    "Samples: .npy, .csv, .tsv, .mtx, FILE.h5:/DATASET, a folder or glob of images, a video, a "
    "generator such as synthetic:samples=1000, or - (.npy on standard input)";

// The flags without the positional
void add_input_flags(CLI::App& command, InputFlags& flags);

OpenOptions open_options(const InputFlags& flags);

// The input, read ahead in a thread of its own.
template <class T>
struct Input {
  explicit Input(const InputFlags& flags)
      : path(flags.path),
        source(open_reader<T>(flags.path, open_options(flags)), stream_options(flags)),
        ahead(source) {}

  std::string path;
  ReaderSource<T> source;
  PrefetchSource<T> ahead;

 private:
  static StreamOptions stream_options(const InputFlags& flags);
};

}  // namespace tamis
