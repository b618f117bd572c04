#include "common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "io/formats.hpp"
#include "io/part_file.hpp"
#include "print.hpp"
#include "settings/suggest.hpp"
#include "tamis/error.hpp"

namespace tamis {

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& what,
                      const std::string& example, Common& common) {
  CLI::App* command = app.add_subcommand(name, what);
  command->footer("Example:\n  " + example);
  command->add_flag("--quiet", common.quiet, "No progress, no summary; errors only")
      ->group("Output");
  command->add_flag("--json", common.json, "Print one JSON object on standard output")
      ->group("Output");
  // Read before the other flags are parsed (config.cpp); here for the help only.
  command->add_option("--config", "TOML file with flags: rank = 10")
      ->type_name("FILE")
      ->group("Output");
  return command;
}

void add_force(CLI::App& command, Common& common) {
  command.add_flag("--force", common.force, "Replace files that exist")->group("Output");
}

void print_error(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void say(const Common& common, const std::string& line) {
  if (!common.quiet) print_error(line + "\n");
}

void print_result(const Common& common, const Json& json, const std::string& text) {
  if (common.json) {
    // Names of files may be any bytes.
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
    if (std::fflush(stdout) != 0) throw RunFailed(no_output);
  } else if (!print_text(text)) {
    throw RunFailed(no_output);
  }
}

void check_outputs(const std::vector<std::string>& paths, bool force) {
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    std::string file = file_of(path);
    while (file.size() > 1 && file.ends_with('/')) file.pop_back();
    if (!seen.insert(std::filesystem::absolute(file).lexically_normal().string()).second)
      throw SettingsError(fmt::format("{}: named as output twice", file));
    if (file != "-") check_target(file, force);
  }
}

std::string read_text_file(const std::string& path, std::size_t most) {
  std::ifstream file(path, std::ios::binary);
  std::error_code ignored;
  if (!file || std::filesystem::is_directory(path, ignored))
    throw FileError(path + ": cannot be read");
  std::string text;
  std::array<char, 1 << 16> part;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  while (file.read(part.data(), part.size()), file.gcount() > 0) {
    text.append(part.data(), std::size_t(file.gcount()));
    if (text.size() > most)
      throw FileError(fmt::format("{}: too long, more than {} bytes", path, most));
  }
  if (file.bad()) throw FileError(path + ": cannot be read");
  if (text.find('\0') != std::string::npos)
    throw FileError(path + ": is not text, it has bytes that are 0");
  return text;
}

CLI::Validator whole_number(long long least) {
  const auto problem_of = [least](const std::string& text) {
    long long value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool valid = problem == std::errc() && end == text.data() + text.size() && value >= least;
    return valid ? std::string()
                 : fmt::format("{} is not a whole number, at least {}", text::quoted(text), least);
  };
  return {problem_of, ""};
}

CLI::Validator a_number(bool or_zero) {
  const auto problem_of = [or_zero](const std::string& text) {
    double value = -1;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = problem == std::errc() && end == text.data() + text.size();
    if (whole && (value > 0 || (or_zero && value == 0))) return std::string();
    return fmt::format("{} is not a number {} 0", text::quoted(text),
                       or_zero ? "at least" : "above");
  };
  return {problem_of, ""};
}

std::optional<std::pair<Index, Index>> parse_sides(const std::string& text) {
  Index first = 0, second = 0;  // and stay so if they are too large
  const char* const end = text.data() + text.size();
  const char* const cross = std::from_chars(text.data(), end, first).ptr;
  if (cross == end || (*cross != 'x' && *cross != 'X')) return {};
  if (std::from_chars(cross + 1, end, second).ptr != end || first < 1 || second < 1) return {};
  return std::pair(first, second);
}

std::string with_commas(long long number) {
  std::string digits = fmt::to_string(number);
  for (auto at = static_cast<long long>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    digits.insert(std::size_t(at), 1, ',');
  return digits;
}

}  // namespace tamis
