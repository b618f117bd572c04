// Where generated samples and what is known about them go.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "outputs.hpp"
#include "tamis/generate/generator.hpp"
#include "tamis/io/writer.hpp"

namespace tamis {

// What a generator knows beside clean samples and outliers.
struct Knowledge {
  bool factors = false;
  bool masks = false;
};

struct GeneratedPaths {
  std::string out, clean, outliers, codes, dictionary, masks;
  std::string truth;  // folder for all of them that have no path of their own

  void add_to(CLI::App& command, Knowledge known);
  // The truth's folder resolved into paths
  GeneratedPaths resolved(Knowledge known) const;
  std::vector<std::string> all() const;  // some may be empty
};

// Makes a folder; removes it again, if it was not there before, unless kept.
class NewFolder {
 public:
  explicit NewFolder(std::string path);  // "": none
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  void keep() { made_ = false; }

 private:
  std::string path_;
  bool made_ = false;
};

template <class T>
class GeneratedFiles {
 public:
  GeneratedFiles(const Generator<T>& generator, const GeneratedPaths& paths,
                 const WriterOptions& options);

  void write(const Generated<T>& made, Index first);
  // All that was written appears under its name.
  void finish();

 private:
  struct File {
    std::unique_ptr<Writer<T>> writer;
    Matrix<T> Generated<T>::*part;
  };

  std::vector<File> files_;
  std::unique_ptr<Writer<T>> dictionary_;
  Matrix<T> W_;
};

}  // namespace tamis
