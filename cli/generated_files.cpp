#include "generated_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "tamis/error.hpp"

namespace tamis {
namespace fs = std::filesystem;

void GeneratedPaths::add_to(CLI::App& command, Knowledge known) {
  const auto add = [&](const std::string& flag, std::string& path, const std::string& help) {
    return command.add_option(flag, path, help)->type_name("FILE")->group("Output");
  };
  add("--out", out, "The samples, one row each, in any format; - for .npy on standard output")
      ->required();
  add("--truth", truth, "Folder for everything below, as .npy files of these names")
      ->type_name("DIR");
  add("--clean", clean, "Samples before they were spoiled");
  add("--outliers", outliers, "What was added to them, before clipping");
  if (known.factors) add("--codes", codes, "True codes H, one row per sample");
  if (known.factors) add("--dictionary", dictionary, "True dictionary, one row per atom");
  if (known.masks) add("--masks", masks, "Where something moves: 0 or 255");
}

GeneratedPaths GeneratedPaths::resolved(Knowledge known) const {
  GeneratedPaths paths = *this;
  if (truth.empty()) return paths;
  const auto fill = [&](std::string& path, const char* name) {
    if (path.empty()) path = (fs::path(truth) / name).string();
  };
  fill(paths.clean, "clean.npy");
  fill(paths.outliers, "outliers.npy");
  if (known.factors) fill(paths.codes, "codes.npy");
  if (known.factors) fill(paths.dictionary, "dictionary.npy");
  if (known.masks) fill(paths.masks, "masks.npy");
  return paths;
}

std::vector<std::string> GeneratedPaths::all() const {
  return {out, clean, outliers, codes, dictionary, masks};
}

NewFolder::NewFolder(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
  std::error_code error;
  made_ = fs::create_directory(path_, error);
  if (error)
    throw FileError(fmt::format("{}: cannot be made a folder: {}", path_, error.message()));
}

NewFolder::~NewFolder() {
  std::error_code ignored;
  if (made_) fs::remove(path_, ignored);  // only if it is empty
}

template <class T>
GeneratedFiles<T>::GeneratedFiles(const Generator<T>& generator, const GeneratedPaths& paths,
                                  const WriterOptions& options) {
  const Outputs outputs(options, generator.rank());
  const auto add = [&](std::unique_ptr<Writer<T>> writer, Matrix<T> Generated<T>::*part) {
    if (writer) files_.push_back({std::move(writer), part});
  };
  add(outputs.samples<T>(paths.out), &Generated<T>::V);
  add(outputs.samples<T>(paths.clean), &Generated<T>::clean);
  add(outputs.outliers<T>(paths.outliers), &Generated<T>::outliers);
  add(outputs.codes<T>(paths.codes), &Generated<T>::codes);
  add(outputs.masks<T>(paths.masks), &Generated<T>::mask);
  dictionary_ = outputs.dictionary<T>(paths.dictionary);
  W_ = generator.dictionary();
}

template <class T>
void GeneratedFiles<T>::write(const Generated<T>& made, Index first) {
  for (const File& file : files_) file.writer->write(made.*file.part, {.first = first});
}

template <class T>
void GeneratedFiles<T>::finish() {
  if (dictionary_) {
    dictionary_->write(W_, {});
    dictionary_->finish();
  }
  // The samples last: where they are, everything is.
  for (auto file = files_.rbegin(); file != files_.rend(); ++file) file->writer->finish();
}

template class GeneratedFiles<float>;
template class GeneratedFiles<double>;

}  // namespace tamis
