// Everything tamis throws. A message names the file or field, the value, the rule and the remedy.
// Numerical outcomes are a Status (result.hpp), never an exception.
#pragma once

#include <stdexcept>

namespace tamis {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The settings contradict a rule; every violation is listed.
struct SettingsError : Error {
  using Error::Error;
};

// The data cannot be used: wrong shape, not finite, negative, empty.
struct DataError : Error {
  using Error::Error;
};

// A file cannot be read or written, or is not what it should be.
struct FileError : Error {
  using Error::Error;
};

// Another rank of a distributed fit failed, so that this one cannot go on either.
struct RankError : Error {
  using Error::Error;
};

// The user asked to stop while data were awaited.
struct Interrupted : Error {
  using Error::Error;
};

}  // namespace tamis
