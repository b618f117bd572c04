// What the fuzzing harnesses share. A harness is one file here:
//
//   FUZZ(npy) { … }    // with `bytes` to be fed to a parser
//
// It must end for all bytes, and a promise that is broken must end the program. With TAMIS_FUZZ
// each becomes a libFuzzer program of its own (see scripts/fuzz.sh); in every other build all of
// them are one test program that is given the seeds of seeds.py.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/error.hpp"

namespace tamis::fuzz {

using Bytes = std::span<const std::uint8_t>;

struct Harness {
  const char* name;
  void (*run)(Bytes bytes);
};
std::vector<Harness>& harnesses();
struct Registered {
  Registered(const char* name, void (*run)(Bytes)) { harnesses().push_back({name, run}); }
};

#define FUZZ(name)                                                              \
  static void fuzz_##name(::tamis::fuzz::Bytes bytes);                          \
  static const ::tamis::fuzz::Registered registered_##name(#name, fuzz_##name); \
  static void fuzz_##name(::tamis::fuzz::Bytes bytes)

inline std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", promise);
  std::abort();
}

// Whether it worked. Nothing but our own errors may come out, each with something to say.
template <class Work>
bool accepted(const Work& work) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    require(error.what()[0] != '\0', "an error has a message");
    return false;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "not one of our errors: %s\n", error.what());
    std::abort();
  }
}

// A folder of this process's own, gone when it ends
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  // A file with these bytes; its path
  std::string write(const std::string& name, Bytes bytes) const;
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  void clear() const;

 private:
  std::string path_;
};
const Folder& folder();

// Decisions and numbers from the bytes, for harnesses that build something with them. Zeros when
// they are used up.
class Choices {
 public:
  explicit Choices(Bytes bytes) : bytes_(bytes) {}

  bool more() const { return !bytes_.empty(); }
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  std::size_t below(std::size_t n) { return byte() % n; }
  std::uint64_t word();
  // Small, around powers of two, huge, or anything
  std::uint64_t size();
  double number();
  std::string text();
  Bytes rest() const { return bytes_; }

 private:
  Bytes bytes_;
};

}  // namespace tamis::fuzz
