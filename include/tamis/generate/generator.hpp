// Data made sample by sample, with everything that is known about it. Sample i depends on i and the
// options alone, so that a stream of any length needs no memory and can be entered anywhere.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "tamis/generate/corrupt.hpp"
#include "tamis/generate/swimmer.hpp"
#include "tamis/generate/synthetic.hpp"
#include "tamis/generate/video.hpp"
#include "tamis/io/sample_format.hpp"
#include "tamis/io/source.hpp"
#include "tamis/normalize.hpp"
#include "tamis/types.hpp"

namespace tamis {

// Some samples. What a generator does not know stays empty.
template <class T>
struct Generated {
  Matrix<T> V;         // F×n, contaminated
  Matrix<T> clean;     // V°
  Matrix<T> outliers;  // R°, what was added before clipping; exactly 0 where nothing was
  Matrix<T> codes;     // H°, K×n
  Matrix<T> mask;      // F×n, 1 where something moves, 0 elsewhere
};

template <class T>
class Generator {
 public:
  virtual ~Generator() = default;

  virtual const SampleFormat& format() const = 0;
  virtual Index samples() const = 0;
  virtual Index rank() const { return 0; }  // of codes and dictionary; 0: there are none
  virtual bool has_mask() const { return false; }
  virtual Matrix<T> dictionary() const { return {}; }  // W°, F×K

  // Samples first … first+n−1, which must exist. The memory of `out` is reused.
  virtual void make(Index first, Index n, Generated<T>& out) = 0;
};

// Registry of what needs no input: a new one is a struct of options with a name and a list of
// fields, a line here and an overload of generator_for() in src/generate/registry.hpp.
using GeneratorOptions = std::variant<SyntheticOptions, SwimmerOptions, VideoOptions>;

// Throws SettingsError if an option is out of range.
template <class T>
std::unique_ptr<Generator<T>> make_generator(const GeneratorOptions& options);

// From `synthetic:samples=1e7,nu-tilde=0.2`; what is not named keeps its default. Throws
// SettingsError.
GeneratorOptions parse_generator(const std::string& text);

// The samples of a pass over a source, contaminated: what corrupt() does to the matrix of them. The
// study's order is scale, replicate, shuffle, contaminate; `normalize` comes first, a ReaderSource
// does the middle two. Any block can be made of a source with random access; others are read again
// from the beginning if blocks do not follow each other. The number of samples must be known:
// pass it if the source does not. Throws DataError if not.
template <class T>
std::unique_ptr<Generator<T>> make_corrupt_generator(std::unique_ptr<Source<T>> source,
                                                     const Pass& pass, const Normalize& normalize,
                                                     const CorruptOptions& options,
                                                     std::optional<Index> samples = {});

}  // namespace tamis
