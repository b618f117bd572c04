// Reading and writing whole inputs and outputs, for the tests of file formats.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tamis/tamis.hpp"

namespace tamis::test {

// All samples of an input (of at most 100)
template <class T = double>
Matrix<T> read_all(const std::string& input, const OpenOptions& options = {}) {
  const auto reader = open_reader<T>(input, options);
  Matrix<T> V(reader->format().features(), 100);
  const Index n = reader->read(V);
  return V.leftCols(n);
}

// What reading says is wrong
inline std::string problem_of(const std::string& input, const OpenOptions& options = {}) {
  try {
    read_all(input, options);
  } catch (const FileError& problem) {
    return problem.what();
  }
  return "";
}

template <class T = double>
void write_all(const std::string& path, const Matrix<T>& X, const WriterOptions& options,
               const std::vector<Index>& order = {}) {
  const auto writer = open_writer<T>(path, options);
  writer->write(X, {0, order});
  writer->finish();
}

inline void expect_has(const std::string& text, std::initializer_list<std::string> parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace tamis::test
