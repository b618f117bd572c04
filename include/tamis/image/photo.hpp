// A photograph with its gross errors replaced and its holes filled, by a dictionary that is learned
// from its own patches.
#pragma once

#include <functional>
#include <optional>

#include "tamis/image/patches.hpp"
#include "tamis/model.hpp"
#include "tamis/settings.hpp"
#include "tamis/types.hpp"

namespace tamis {

struct PhotoOptions {
  Index patch = 8;   // pixels on a side
  Index stride = 2;  // pixels from one patch to the next
  // How far an entry may be from the reconstruction and still be believed, in units of the picture;
  // ∞: only what is missing is replaced. Unset: by the picture itself, place by place.
  std::optional<double> threshold = {};
  bool reconstruction = false;  // nothing of the picture itself
  Settings settings = photo_settings();
  EncodeOptions encoding = {.tolerance = 1e-3};
  // Told now and then what share of the work is done; false stops it: Interrupted is thrown.
  std::function<bool(double)> progress = {};

  // What suits patches: few atoms, or they learn the errors too
  static Settings photo_settings();
};

template <class T>
struct CleanedPhoto {
  Vector<T> picture;
  Vector<T> reconstruction;  // of every entry
  Vector<T> replaced;        // 1 where the picture has the reconstruction, otherwise 0

  double replaced_share() const { return replaced.size() == 0 ? 0 : double(replaced.mean()); }
};

// Entries that are NaN are missing. Throws DataError if all are, or one is negative or infinite.
template <class T>
CleanedPhoto<T> clean_photo(ConstVectorRef<T> picture, const PictureSize& size,
                            const PhotoOptions& options = {});

}  // namespace tamis
