// Models and training states as HDF5 files. See docs/model-file.md.
#pragma once

#include <string>

#include "tamis/model.hpp"
#include "tamis/settings.hpp"

namespace tamis {

template <class T>
class Training;

// State: Model<T> or Training<T>; what is written is what its state() lists, and the settings.
template <class State>
void save_state(const std::string& path, const State& state);

// The settings first, because they decide which state there is; then the state. Throw FileError.
Settings load_settings(const std::string& path);
template <class State>
void load_state(const std::string& path, State& state);

}  // namespace tamis
