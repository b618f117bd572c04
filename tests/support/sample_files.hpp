// Samples into files and out of them, by way of the public functions.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tamis/error.hpp"
#include "tamis/io/reader.hpp"
#include "tamis/io/reader_source.hpp"
#include "tamis/io/writer.hpp"

namespace tamis::test {

// Every sample of a source, read in blocks.
template <class T>
Matrix<T> all_samples(Source<T>& source, const Pass& pass = {}, Index block_size = 3) {
  source.start(pass);
  Matrix<T> V(source.features(), 0);
  SampleBlock<T> block;
  while (source.read(block_size, block)) {
    V.conservativeResize(Eigen::NoChange, V.cols() + block.V.cols());
    V.rightCols(block.V.cols()) = block.V;
  }
  return V;
}

template <class T = double>
Matrix<T> read_file(const std::string& input, const OpenOptions& options = {}) {
  ReaderSource<T> source(open_reader<T>(input, options));
  return all_samples(source);
}

template <class T>
void write_file(const std::string& path, const Matrix<T>& X, const WriterOptions& options) {
  const auto writer = open_writer<T>(path, options);
  for (Index j = 0; j < X.cols(); j += 4)
    writer->write(X.middleCols(j, std::min<Index>(4, X.cols() - j)), Rows{.first = j});
  writer->finish();
}

// A FileError that names the file and says all of these.
inline void expect_file_error(const std::function<void()>& action, const std::string& path,
                              const std::vector<std::string>& words) {
  try {
    action();
    ADD_FAILURE() << path << ": nothing was thrown";
  } catch (const FileError& problem) {
    const std::string message = problem.what();
    EXPECT_EQ(message.find(path), 0u) << "the file is not named first: " << message;
    for (const std::string& word : words)
      EXPECT_NE(message.find(word), std::string::npos) << '"' << word << "\" not in: " << message;
  }
}

inline void expect_unreadable(const std::string& path, const std::vector<std::string>& words,
                              const OpenOptions& options = {}) {
  expect_file_error([&] { read_file<double>(path, options); }, path, words);
  expect_file_error([&] { read_file<float>(path, options); }, path, words);
}

}  // namespace tamis::test
