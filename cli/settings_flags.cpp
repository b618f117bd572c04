#include "settings_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "common.hpp"
#include "settings/dashes.hpp"
#include "settings/text.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

// Which part of the help a flag belongs to; only how it looks.
std::string group_of(const std::string& field) {
  static const std::map<std::string, std::string> groups{{"rank", "Model"},
                                                         {"algorithm", "Model"},
                                                         {"constraint", "Model"},
                                                         {"code_penalty", "Model"},
                                                         {"code_groups", "Model"},
                                                         {"dictionary_penalty", "Model"},
                                                         {"init", "Model"},
                                                         {"lambda", "Outliers"},
                                                         {"max_outlier", "Outliers"},
                                                         {"nonneg_outliers", "Outliers"},
                                                         {"outlier_penalty", "Outliers"},
                                                         {"outlier_groups", "Outliers"},
                                                         {"normalize", "Input"},
                                                         {"missing", "Input"},
                                                         {"allow_negative", "Input"},
                                                         {"shuffle", "Input"}};
  const auto found = groups.find(field);
  return found == groups.end() ? "Learning" : found->second;
}

// What stands for the value in the help
std::string placeholder(const FieldDescription& field) {
  if (field.name == "rank") return "K";
  if (field.allowed.starts_with("whole number")) return "n";
  if (field.name.ends_with("_groups")) return "FILE";
  if (field.name == "dictionary_penalty") return "l1,l2";
  return "X";
}

constexpr const char* groups_form = ": a file with a line of indices per group, or 0,1;2,3";

// "0,1;2,3" itself, and not a file that is called so
bool are_groups(const std::string& value) {
  std::error_code ignored;
  return !value.empty() && value.find_first_not_of("0123456789,; ") == std::string::npos &&
         !std::filesystem::exists(value, ignored);
}

// One line of indices per group
std::string read_groups(const std::string& path) {
  if (are_groups(path)) return path;
  constexpr std::size_t longest = std::size_t(1) << 30;
  std::istringstream file(read_text_file(path, longest));
  std::string text, line;
  while (std::getline(file, line)) {
    // Between groups in a setting: two of them must not come of one line.
    if (line.find(';') != std::string::npos)
      throw FileError(path + ": has a \";\"; one line of indices per group");
    std::vector<std::string> indices;
    std::ranges::replace(line, ',', ' ');
    for (std::istringstream each(line); each >> line;) indices.push_back(line);
    if (indices.empty()) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ";", fmt::join(indices, ","));
  }
  if (text.empty()) throw FileError(path + ": no groups in it; one line of indices per group");
  return text;
}

template <class T>
bool uses_groups(const T& choice) {
  return std::visit([](const auto& option) { return option.uses_groups; }, choice);
}

std::string choices(const std::string& allowed) {
  return allowed.find(", ") == std::string::npos || allowed.find("whole") == 0 ? ""
                                                                               : ": " + allowed;
}

using Texts = std::map<std::string, std::string>;

Texts texts_of(const Settings& settings) {
  Texts texts;
  Settings::fields(settings, [&](std::string_view name, const auto& value, auto&&...) {
    texts[std::string(name)] = text::write(value);
  });
  return texts;
}

// What is used if a flag is not given, of some inputs perhaps something else
std::string default_text(const FieldDescription& field, const Texts& usual, const Texts& defaults,
                         const std::string& inputs) {
  const std::string& own = defaults.at(field.name);
  if (own == usual.at(field.name)) return field.default_value;
  return inputs.empty() ? own : fmt::format("{}; {}: {}", field.default_value, inputs, own);
}

}  // namespace

void SettingsFlags::add_to(CLI::App& command, const Settings& defaults, const std::string& inputs) {
  const Texts usual = texts_of({}), own = texts_of(defaults);
  for (const FieldDescription& field : describe_settings()) {
    const std::string flag = "--" + with_dashes(field.name);
    const auto note = [this, name = field.name, flag](const std::string& value) {
      given_.push_back({name, flag, value});
    };
    CLI::Option* option = nullptr;
    if (field.name == "missing") {
      option = command.add_option_function<std::string>(
          flag, [note](const std::string&) { note("true"); }, "What marks a missing entry");
      option->type_name("nan")->check(CLI::IsMember({"nan"}));
    } else if (field.allowed == "true or false") {
      const bool optional = field.default_value == "by algorithm";
      option = command.add_flag_function(
          optional ? fmt::format("{},!--no-{}", flag, flag.substr(2)) : flag,
          [note](std::int64_t count) { note(count > 0 ? "true" : "false"); },
          field.help + (optional ? fmt::format("; --no-{} does not", flag.substr(2)) : ""));
    } else {
      const bool groups = field.name.ends_with("_groups");
      option = command.add_option_function<std::string>(
          flag,
          [note, groups](const std::string& value) { note(groups ? read_groups(value) : value); },
          field.help + (groups                      ? groups_form
                        : placeholder(field) == "X" ? choices(field.allowed)
                                                    : ""));
      option->type_name(placeholder(field))
          ->default_str(groups ? "" : default_text(field, usual, own, inputs));
    }
    option->group(group_of(field.name));
  }
  command
      .add_option_function<std::string>(
          "--groups", [this](const std::string& file) { groups_ = read_groups(file); },
          std::string("groups of whichever penalty has them") + groups_form)
      ->type_name("FILE")
      ->group("Outliers");
}

Settings SettingsFlags::settings(Settings settings) const {
  for (const Given& each : given_) settings.set(each.field, each.value);
  if (groups_.empty()) return settings;
  const bool outliers = uses_groups(settings.outlier_penalty);
  const bool codes = uses_groups(settings.code_penalty);
  if (outliers == codes) {
    throw SettingsError(outliers
                            ? "--groups: both penalties have groups; use --outlier-groups and "
                              "--code-groups"
                            : "--groups: neither --outlier-penalty nor --code-penalty has groups");
  }
  settings.set(outliers ? "outlier_groups" : "code_groups", groups_);
  return settings;
}

void SettingsFlags::check_agree(const Settings& resumed, const std::string& file) const {
  for (const Given& each : given_) {
    // A batch algorithm's mini-batch is all samples, whatever was asked for.
    const bool whole =
        std::visit([](const auto& algorithm) { return algorithm.whole; }, resumed.algorithm);
    if (each.field == "threads" || (whole && each.field == "batch_size")) continue;
    Settings changed = resumed;
    changed.set(each.field, each.value);
    if (!(changed == resumed)) {
      throw SettingsError(fmt::format(
          "{} {} differs from what {} was begun with; leave it out, or begin anew without --resume",
          each.flag, each.value, file));
    }
  }
}

void SettingsFlags::check_unused(const std::string& model) const {
  for (const Given& each : given_) {
    if (each.field != "threads")
      throw SettingsError(
          fmt::format("{} is about learning, but {} has learned already", each.flag, model));
  }
}

std::optional<Index> SettingsFlags::threads() const {
  for (const Given& each : given_)
    if (each.field == "threads") return settings().threads;
  return {};
}

}  // namespace tamis
