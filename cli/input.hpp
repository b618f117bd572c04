// Flags about the input, and the input they describe.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "tamis/error.hpp"
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
    "generator such as synthetic:samples=1000, several files ('part*.npy'), or - (.npy on standard "
    "input)";

// The flags without the positional
void add_input_flags(CLI::App& command, InputFlags& flags);

OpenOptions open_options(const InputFlags& flags);
// Whether the entries have 64 bits. Not to be asked of a pipe, which cannot be looked at twice.
bool stored_as_double(const InputFlags& flags);
StreamOptions stream_options(const InputFlags& flags);
// What decides which samples a name stands for
std::string selection(const InputFlags& flags);

// The library speaks of settings, the program of flags.
std::string in_flags(std::string message);

// An error about the data, with the name of the file in front.
template <class Work>
auto naming_file(const std::string& file, Work&& work) {
  try {
    return work();
  } catch (const DataError& error) {
    const std::string message = in_flags(error.what());
    const std::string name = file == "-" ? "standard input" : file;
    throw DataError(message.starts_with(name + ":") ? message : name + ": " + message);
  }
}

// The input, read ahead in a thread of its own.
template <class T>
struct Input {
  explicit Input(const InputFlags& flags) : path(flags.path), source(open(flags)), ahead(source) {}

  std::string path;
  ReaderSource<T> source;
  PrefetchSource<T> ahead;

 private:
  static ReaderSource<T> open(const InputFlags& flags);
};

}  // namespace tamis
