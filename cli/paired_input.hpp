// Two inputs that belong together sample by sample, read block by block.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tamis/io/reader.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct PairedOptions {
  double peak = 1;  // floating-point entries are divided by it
  bool color = false;
  std::optional<Index> limit = {};
};

class PairedInput {
 public:
  // Throws DataError naming both if their shapes differ.
  PairedInput(const std::string& first, const std::string& second, const PairedOptions& options);

  Index features() const { return features_; }
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

    void open(const std::string& input, const PairedOptions& options);
    void read(Index n);
    void check_finite(Index samples_before) const;
  };

  [[noreturn]] void refuse(const std::string& what, const std::string& of_first,
                           const std::string& of_second) const;

  Side first_, second_;
  PairedOptions options_;
  Index features_ = 0;
  Index samples_ = 0;
};

}  // namespace tamis
