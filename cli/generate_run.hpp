// What all kinds of `tamis generate` do: the loop that makes blocks of samples and writes them.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>

#include "common.hpp"
#include "encoding.hpp"
#include "generated_files.hpp"
#include "option_flags.hpp"
#include "report.hpp"
#include "tamis/evaluate.hpp"

namespace tamis {

struct GenerateFlags {
  Common common;
  GeneratedPaths paths;
  std::string precision = "float";

  void add_to(CLI::App& command, Knowledge known);
};

// What a kind of data brings along.
template <class T>
struct Recipe {
  Knowledge known;
  Json options;
  std::function<std::unique_ptr<Generator<T>>()> make;
  std::function<std::string(Index)> name = {};  // of a sample's image file
};

template <class T>
void run_generate(const GenerateFlags& flags, const Recipe<T>& recipe);

}  // namespace tamis
