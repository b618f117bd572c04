// Pictures of one object under changing light, without the shadows that it casts on itself.
#pragma once

#include <functional>

#include "tamis/image/patches.hpp"
#include "tamis/model.hpp"
#include "tamis/settings.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct RelightOptions {
  Settings settings = relight_settings();
  bool reconstruction = false;  // nothing of the pictures themselves
  EncodeOptions encoding = {};
  // Told now and then what share of the work is done; false stops it: Interrupted is thrown.
  std::function<bool(double)> progress = {};

  static Settings relight_settings();
};

template <class T>
struct Relit {
  Matrix<T> pictures;
  Matrix<T> reconstruction;  // of every picture
  Matrix<T> replaced;        // from 0, the picture as it was, to 1, the reconstruction
};

// V: a picture per column, not negative, NaN where a pixel is missing. Throws DataError.
template <class T>
Relit<T> relight(ConstMatrixRef<T> V, const PictureSize& size, const RelightOptions& options = {});

}  // namespace tamis
