// What was learned, and everything needed to go on learning.
#pragma once

#include <string>
#include <vector>

#include "tamis/io/sample_format.hpp"
#include "tamis/settings.hpp"
#include "tamis/solvers.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct EncodeOptions {
  double tolerance = 1e-4;  // accuracy relative to the size of a sample's codes
  Index iterations = 1000;  // at most
  Index threads = 0;        // 0 for all
};

template <class T>
struct Model {
  Settings settings;  // every field set

  Matrix<T> W;        // F×K dictionary
  Matrix<double> A;   // K×K weighted mean of hhᵀ
  Matrix<double> B;   // F×K weighted mean of (v − r)hᵀ
  double c = 0;       // weighted mean of ½‖v − r‖² + φ(r) + ψ(h)
  double weight = 0;  // total weight behind these means
  double sigma = 0;   // running noise scale σ̂; 0 while unknown
  double lambda = 0;  // outlier penalty in use

  std::vector<Index> shape;  // of a sample, see SampleFormat
  double unit = 1;           // what the samples' entries were divided by when they were read

  Index samples = 0;  // seen in all
  Index batches = 0;
  Index epoch = 0;     // passes completed
  Index position = 0;  // samples seen of the current pass
  Index reseeded = 0;  // atoms replaced so far

  Index features() const { return W.rows(); }
  Index rank() const { return W.cols(); }
  bool trained() const { return batches > 0; }

  // What W pays now: the penalty of the settings, and what the algorithm itself adds to it.
  DictionaryPenalty dictionary_penalty() const;

  // f̃(W) = ½tr(WᵀWA) − tr(WᵀB) + c + penalty on W: the mean loss of all samples with the codes they
  // had on arrival.
  double surrogate() const;

  // Codes and outliers of new samples (columns of V) in their own units; the model does not change
  // and may be used from many threads at once. Throws DataError if V does not fit the model.
  Encoding<T> encode(ConstMatrixRef<T> V, const EncodeOptions& options = {}) const;

  // WH
  Matrix<T> reconstruct(ConstMatrixRef<T> H) const;

  // HDF5; see docs/model-file.md. Written under a temporary name and renamed.
  void save(const std::string& path) const;
  static Model load(const std::string& path);

  // Every name and value of the state, for saving and loading.
  template <class Self, class Archive>
  static void state(Self& self, Archive&& archive) {
    archive("W", self.W);
    archive("A", self.A);
    archive("B", self.B);
    archive("c", self.c);
    archive("weight", self.weight);
    archive("sigma", self.sigma);
    archive("lambda", self.lambda);
    archive("shape", self.shape);
    archive("unit", self.unit);
    archive("samples", self.samples);
    archive("batches", self.batches);
    archive("epoch", self.epoch);
    archive("position", self.position);
    archive("reseeded", self.reseeded);
  }
};

// The precision of the model in a file, f32 or f64: load it as Model<float> or Model<double>.
ElementType model_type(const std::string& path);

}  // namespace tamis
