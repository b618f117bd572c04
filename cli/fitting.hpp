// A fit that shows its progress and can be stopped.
#pragma once

#include "common.hpp"
#include "input.hpp"
#include "progress.hpp"
#include "tamis/error.hpp"
#include "tamis/trainer.hpp"

namespace tamis {

// An error about the data, with the name of the file in front.
template <class Work>
auto naming_file(const std::string& file, Work&& work) {
  try {
    return work();
  } catch (const DataError& error) {
    const std::string message = error.what();
    const std::string name = file == "-" ? "standard input" : file;
    throw DataError(message.starts_with(name + ":") ? message : name + ": " + message);
  }
}

template <class T>
FitResult<T> fit_with_progress(Trainer<T>& trainer, Input<T>& input, FitOptions<T> options,
                               const Common& common) {
  FitProgress progress(common);
  options.observer = &progress;
  return naming_file(input.path, [&] { return trainer.fit(input.ahead, options); });
}

}  // namespace tamis
