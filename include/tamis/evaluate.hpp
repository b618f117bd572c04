// How good is it? Measures against a known truth.
#pragma once

#include <vector>

#include "tamis/types.hpp"

namespace tamis {

// Of an estimate from what it should be, added up block by block: the blocks' columns one after the
// other give the same bits as all at once.
class ErrorSum {
 public:
  // Throws DataError if the shapes differ, also from the features of blocks before.
  template <class T>
  void add(ConstMatrixRef<T> clean, ConstMatrixRef<T> estimate);

  Index features() const { return features_; }
  Index samples() const { return samples_; }
  // As the functions below. Throw DataError if nothing was added.
  double psnr() const;
  double relative_error() const;

 private:
  void check_not_empty() const;

  Index features_ = 0;
  Index samples_ = 0;
  double squared_error_ = 0;
  double squared_norm_ = 0;  // of what it should be
};

// The study's −10·log₁₀(Σ‖v° − v̂‖²/(FN)) in dB, for data in [0, 1]; ∞ if both are equal.
template <class T>
double psnr(ConstMatrixRef<T> clean, ConstMatrixRef<T> estimate);

// ‖V° − V̂‖_F / ‖V°‖_F
template <class T>
double relative_error(ConstMatrixRef<T> clean, ConstMatrixRef<T> estimate);

// Which learned atom stands for which true one.
struct AtomMatch {
  std::vector<Index>
      learned;            // per true atom: its partner, or −1 if there are too few learned atoms
  Vector<double> cosine;  // per true atom: cosine of the angle to its partner, 0 without one
  // Pearson's, of the same pairs; 0 without a partner or if one of them is constant
  Vector<double> correlation;

  double mean() const { return cosine.size() == 0 ? 0 : cosine.mean(); }
  double mean_correlation() const { return correlation.size() == 0 ? 0 : correlation.mean(); }
  // True atoms whose partner is at least this similar.
  Index recovered(double least_cosine) const { return (cosine.array() >= least_cosine).count(); }
};

// Compares two dictionaries (F×K° and F×K, K may differ from K°) up to order and scale: the
// one-to-one matching with the largest sum of cosines. The cosine, not Pearson's correlation,
// because zero means something for parts: "not here". Rows in `ignored_rows` are left out.
template <class T>
AtomMatch match_atoms(ConstMatrixRef<T> truth, ConstMatrixRef<T> learned,
                      const std::vector<Index>& ignored_rows = {});

// Hoyer (2004): (√F − ‖w‖₁/‖w‖₂)/(√F − 1), averaged over the columns; 0 all equal, 1 a single
// entry. A column of zeros counts as 1.
template <class T>
double hoyer_sparsity(ConstMatrixRef<T> W);

struct OutlierScore {
  double precision = 0;  // share of the reported outliers that are true; 1 if none is reported
  double recall = 0;     // share of the true outliers that are reported; 1 if there is none
  double f = 0;          // their harmonic mean
};

// The entries of a score, counted block by block.
struct OutlierCount {
  Index hits = 0;          // reported and true
  Index false_alarms = 0;  // reported only
  Index misses = 0;        // true only
  Index entries = 0;       // of all blocks

  // Throws DataError if the shapes differ.
  template <class T>
  void add(ConstMatrixRef<T> truth, ConstMatrixRef<T> R, double threshold = 0);

  OutlierScore score() const;
};

// Entries are reported where |r| > threshold, and true where `truth` is not 0. Pass V − V° as truth
// to leave out what clipping made invisible.
template <class T>
OutlierScore outlier_score(ConstMatrixRef<T> truth, ConstMatrixRef<T> R, double threshold = 0);

}  // namespace tamis
