#include "experiments/drawing.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <vector>

namespace tamis::experiments {
namespace {

// Installed beside the program, or in the source tree that it was built from.
std::optional<std::filesystem::path> find_script(const std::string& script) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const std::filesystem::path& folder :
       {program.parent_path() / TAMIS_SCRIPTS_FROM_PROGRAM, std::filesystem::path(TAMIS_SCRIPTS)})
    if (std::filesystem::exists(folder / script, error))
      return (folder / script).lexically_normal();
  return std::nullopt;
}

// Standard output stays free for --json. Returns the exit code, or −1.
int run_program(std::vector<std::string> words, bool silent) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (silent) {
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  } else {
    ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  }
  pid_t child = 0;
  const int failed =
      ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), ::environ);
  ::posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || ::waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

std::string draw(const std::string& script, const std::filesystem::path& folder,
                 const Common& common) {
  const auto path = find_script(script);
  if (!path) return fmt::format("not drawn: the script {} is not installed", script);
  const std::string python = TAMIS_PYTHON;
  if (run_program({python, "-c", "import matplotlib, numpy"}, true) != 0)
    return fmt::format(
        "not drawn: {} has no matplotlib; with it (Debian: python3-matplotlib), {} {} "
        "{} does it",
        python, python, path->string(), folder.string());
  if (run_program({python, path->string(), folder.string()}, common.quiet) != 0)
    return fmt::format("not drawn: {} {} {} failed", python, path->string(), folder.string());
  return {};
}

}  // namespace tamis::experiments
