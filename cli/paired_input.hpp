// Two inputs that belong together sample by sample, read block by block.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tamis/io/reader.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct PairedOptions {
  double peak = 1;  // floating-point entries are divided by it
  bool color = false;
  std::optional<Index> limit = {};
  // Which samples of the second input belong to those of the first; unset: as they come.
  std::optional<std::vector<Index>> places = {};
};

class PairedInput {
 public:
  // Throws DataError naming both if their shapes differ.
  PairedInput(const std::string& first, const std::string& second, const PairedOptions& options);

  Index features() const { return features_; }
  // Of a sample of the first input
  const std::vector<Index>& shape() const { return first_.reader->format().shape; }
  // The name of a sample of the first input, or nothing
  std::string name(Index sample) const { return first_.reader->name(sample); }
  // The next samples of both; false at the end of both. Throws DataError if one ends before the
  // other or an entry is not finite.
  bool next();
  const Matrix<double>& first() const { return first_.V; }
  const Matrix<double>& second() const { return second_.V; }
  Index samples() const { return samples_; }  // read so far

 private:
  struct Side {
    std::string path;
    std::unique_ptr<Reader<double>> reader;
    double divisor = 1;
    Matrix<double> V;
    Index next = 0;  // sample that the reader is at

    void open(const std::string& input, const PairedOptions& options);
    void read(Index n);
    // The samples at these places, fewer if the input ends before.
    void read_at(std::span<const Index> places);
    void check_finite(Index samples_before) const;
  };

  void read_second(Index n);
  void check_numbers() const;
  [[noreturn]] void refuse(const std::string& what, const std::string& of_first,
                           const std::string& of_second) const;

  Side first_, second_;
  PairedOptions options_;
  Index features_ = 0;
  Index samples_ = 0;
};

}  // namespace tamis
