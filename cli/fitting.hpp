// A fit that shows its progress and can be stopped.
#pragma once

#include "common.hpp"
#include "input.hpp"
#include "progress.hpp"
#include "tamis/trainer.hpp"

namespace tamis {

template <class T>
FitResult<T> fit_with_progress(Trainer<T>& trainer, Input<T>& input, FitOptions<T> options,
                               const Common& common) {
  FitProgress progress(common);
  options.observer = &progress;
  return naming_file(input.path, [&] { return trainer.fit(input.ahead, options); });
}

}  // namespace tamis
