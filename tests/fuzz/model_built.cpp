// Saved states of every algorithm in which something was replaced: an array of another shape or
// type, a number that cannot be, another text of settings.
#include "fuzz/hdf5_edit.hpp"
#include "fuzz/models.hpp"

#include <fstream>
#include <iterator>

namespace {

using namespace tamis;
using namespace tamis::fuzz;

// A sound state of each algorithm
std::vector<std::string> sound_states() {
  std::vector<std::string> states;
  const std::string path = folder().path("sound.h5");
  for_each_option<Algorithm>([&](const auto& algorithm) {
    Settings settings;
    settings.rank = 2;
    settings.algorithm = algorithm;
    settings.threads = 1;
    settings.batch_size = 5;
    if constexpr (requires { algorithm.warm_start; })
      settings.set("algorithm", "fast:warm_start=1");
    Trainer<double> trainer(settings);
    trainer.fit(some_samples<double>(6, 20));
    trainer.save(path);
    std::ifstream file(path, std::ios::binary);
    states.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  });
  return states;
}

void replace_scalar(const H5::H5File& file, const std::string& name, Choices& choices) {
  const H5::DataSet dataset = file.openDataSet(name);
  if (dataset.getSpace().getSimpleExtentNpoints() != 1) return;
  if (dataset.getTypeClass() == H5T_INTEGER) {
    const auto value = std::int64_t(choices.size());
    dataset.write(&value, H5::PredType::NATIVE_INT64);
  } else {
    const double value = choices.number();
    dataset.write(&value, H5::PredType::NATIVE_DOUBLE);
  }
}

// One value of the settings becomes another text.
void replace_setting(const H5::H5File& file, Choices& choices) {
  const H5::DataSet dataset = file.openDataSet("settings");
  constexpr std::size_t longest = 1 << 16;
  if (dataset.getTypeClass() != H5T_STRING || dataset.getDataType().getSize() > longest) return;
  if (dataset.getSpace().getSimpleExtentNpoints() != 1) return;
  std::string json;
  dataset.read(json, dataset.getStrType());
  std::vector<std::size_t> colons;
  for (std::size_t at = json.find("\": "); at != std::string::npos; at = json.find("\": ", at + 1))
    colons.push_back(at + 3);
  if (colons.empty()) return;
  const std::size_t begin = colons[choices.below(colons.size())];
  json.replace(begin, json.find('\n', begin) - begin, choices.text() + ",");
  file.unlink("settings");
  add_text(file, "settings", json);
}

void edit(const H5::H5File& file, Choices& choices) {
  std::vector<std::string> names;
  for (hsize_t i = 0; i < file.getNumObjs(); ++i) names.push_back(file.getObjnameByIdx(i));
  const std::string name = names[choices.below(names.size())];
  switch (choices.below(6)) {
    case 0:
      return file.unlink(name);
    case 1:
      file.unlink(name);
      return add_dataset(file, name, choices);
    case 2:
    case 3:
      return replace_scalar(file, name, choices);
    case 4:
      return replace_setting(file, choices);
    default: {
      const char* const texts[] = {"format", "settings", "selection", "sink", "outcome"};
      const char* const text = texts[choices.below(5)];
      file.unlink(text);
      return add_text(file, text, choices.text());
    }
  }
}

}  // namespace

FUZZ(model_built) {
  static const std::vector<std::string> states = sound_states();
  Choices choices(bytes);
  const std::string& state = states[choices.below(states.size())];
  const std::string path =
      folder().write("m.h5", {reinterpret_cast<const std::uint8_t*>(state.data()), state.size()});
  const bool sound = edited([&] {
    const H5::H5File file(path, H5F_ACC_RDWR);
    for (std::size_t n = 1 + choices.below(3); n > 0; --n) edited([&] { edit(file, choices); });
  });
  if (sound) check_model_file(path);
}
