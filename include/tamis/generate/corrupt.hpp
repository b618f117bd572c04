// Gross errors as in the study (Zhao, Tan 2017, section VII-D), on any data in [0, 1].
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tamis/fields.hpp"
#include "tamis/types.hpp"

namespace tamis {

enum class OutlierKind {
  uniform,          // U[−1, 1] is added: the study's
  salt_and_pepper,  // the entry becomes 0 or 1, either with probability ½
};

// How they are written as text, in the order of the enumeration.
constexpr std::array<std::string_view, 2> words_for(OutlierKind) {
  return {"uniform", "salt-and-pepper"};
}

struct CorruptOptions {
  double nu = 0.7;        // share ν of the columns that have outliers, in [0, 1]
  double nu_tilde = 0.1;  // share ν̃ of the entries of such a column, in [0, 1]
  double noise = 0;       // standard deviation of the noise on every entry
  OutlierKind kind = OutlierKind::uniform;
  std::uint64_t seed = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit("nu", self.nu, between(0, 1), "share of the samples with outliers");
    visit("nu_tilde", self.nu_tilde, between(0, 1), "share of the entries of such a sample");
    visit("noise", self.noise, at_least(0), "standard deviation of the noise on every entry");
    visit("kind", self.kind, any_value(), "what an outlier is: added, or black or white");
    visit("seed", self.seed, any_value(), "of the random numbers");
  }
};

template <class T>
struct Corrupted {
  Matrix<T> V;  // clip(V° + R° + noise, 0, 1)
  Matrix<T> R;  // R°, what was added before clipping; exactly 0 where nothing was
};

// Chooses ⌊νN⌋ columns and in each of them ⌊ν̃F⌋ entries, uniformly, and spoils them.
// Throws DataError if the data is not in [0, 1], SettingsError if an option is out of range.
template <class T>
Corrupted<T> corrupt(ConstMatrixRef<T> clean, const CorruptOptions& options = {});

}  // namespace tamis
