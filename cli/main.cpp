// The program `tamis`. The only place that catches exceptions and turns them into exit codes.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "arguments.hpp"
#include "comm/mpi.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "config.hpp"
#include "help.hpp"
#include "print.hpp"
#include "suggestions.hpp"
#include "tamis/error.hpp"
#include "tamis/version.hpp"

namespace {

enum ExitCode { ok = 0, run_failed = 1, bad_usage = 2, bad_input = 3, interrupted = 130 };

struct Outcome {
  ExitCode code = ok;
  std::string message;  // what went wrong
  bool json = false;    // is to be said on standard output, too
};

// One line on standard error; with --json also the one object on standard output.
void report(int code, std::string message, bool json) {
  // Names and contents of files may be any bytes, also such as a terminal would obey.
  std::ranges::replace(message, '\n', ' ');
  std::ranges::replace_if(
      message, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  tamis::print_error(fmt::format("tamis: {}\n", message));
  if (!json) return;
  const tamis::Json object{{"status", code == interrupted ? "interrupted" : "error"},
                           {"message", message},
                           {"exit_code", code}};
  fmt::print("{}\n", object.dump(2, ' ', false, tamis::Json::error_handler_t::replace));
  std::fflush(stdout);
}

// Success, if standard output took all of it, or as much as was wanted
Outcome printed(bool json) {
  if (std::fflush(stdout) == 0 || errno == EPIPE) return {};
  return {run_failed, tamis::no_output, json};
}

bool wants_json(const std::vector<std::string>& arguments) {
  return std::ranges::find(arguments, "--json") != arguments.end();
}

// With the others, if mpirun started several
std::unique_ptr<tamis::MpiWorld> join_ranks(const std::vector<std::string>& arguments) {
  if (!tamis::launched_with_others()) return nullptr;
  return std::make_unique<tamis::MpiWorld>(
      [json = wants_json(arguments)](int code, const std::string& message) {
        // In the middle of its work rank 0 may have drawn a progress bar.
        if (::isatty(STDERR_FILENO) == 1) tamis::print_error("\r\x1b[K");
        report(code, message, json);
      });
}

Outcome run(CLI::App& app, std::vector<std::string> arguments,
            std::unique_ptr<tamis::MpiWorld>& world) {
  bool json = wants_json(arguments);
  try {
    arguments = tamis::with_command_first(app, std::move(arguments));
    world = join_ranks(arguments);
    const bool others = world && world->comm().size() > 1;
    if (others && (arguments.empty() || arguments[0] != "fit"))
      throw tamis::SettingsError("several processes can share tamis fit, but no other command");
    arguments = tamis::with_config(app, std::move(arguments));
    json = wants_json(arguments);
    tamis::check_values(app, arguments);
    std::ranges::reverse(arguments);  // as the parser wants them
    app.parse(arguments);             // also runs the command
    return printed(json);
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    app.exit(help_or_version, text, text);
    if (tamis::print_text(text.str())) return {};
    return {run_failed, tamis::no_output, json};
  } catch (const CLI::ParseError& error) {
    // A flag that is not known explains more than one that is missing for it.
    if (!app.remaining(true).empty()) return {bad_usage, tamis::about_leftovers(app), json};
    return {bad_usage, fmt::format("{} (--help lists what there is)", error.what()), json};
  } catch (const tamis::SettingsError& error) {
    return {bad_usage, error.what(), json};
  } catch (const tamis::Interrupted& stop) {
    return {interrupted, stop.what(), json};
  } catch (const tamis::DataError& error) {
    return {bad_input, error.what(), json};
  } catch (const tamis::FileError& error) {
    return {bad_input, error.what(), json};
  } catch (const std::filesystem::filesystem_error& error) {
    return {run_failed, error.what(), json};
  } catch (const std::system_error& error) {
    const std::string message = error.what();
    const bool from_fmt = message.starts_with("cannot write to file");
    return {run_failed, (from_fmt ? "standard output: " : "") + message, json && !from_fmt};
  } catch (const std::bad_alloc&) {
    return {run_failed, "not enough memory; a smaller --batch-size or --rank needs less", json};
  } catch (const std::exception& error) {
    return {run_failed, error.what(), json};
  }
}

// How all ranks end
int end(const Outcome& outcome, tamis::MpiWorld* world) {
  if (world != nullptr && outcome.code != ok) world->fail(outcome.code, outcome.message);
  if (world != nullptr) world->finish();
  if (outcome.code != ok) report(outcome.code, outcome.message, outcome.json);
  return outcome.code;
}

// A program started without standard streams (2>&-) would give their numbers to its files, and
// write its messages into them.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) == -1) ::open("/dev/null", O_RDWR);  // NOLINT(*-vararg)
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  // A closed pipe (| head) is an error to report where we write, not a reason to vanish.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // nor is a limit on the size of files (ulimit -f)
  CLI::App app{"Online nonnegative matrix factorization with outliers: V = WH + R"};
  app.name("tamis");
  app.set_version_flag("--version", fmt::format("tamis {}", tamis::version));
  app.require_subcommand(1);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.formatter(tamis::help_formatter());
  app.footer("tamis COMMAND --help tells more about a command.");
  std::unique_ptr<tamis::MpiWorld> world;
  tamis::add_fit(app, world);
  tamis::add_encode(app);
  tamis::add_denoise(app);
  tamis::add_relight(app);
  tamis::add_separate(app);
  tamis::add_info(app);
  tamis::add_inspect(app);
  tamis::add_generate(app);
  tamis::add_evaluate(app);
  tamis::add_demo(app);
  tamis::add_experiment(app);
  tamis::add_completion(app);
  tamis::add_man(app);

  const Outcome outcome = run(app, {argv + 1, argv + argc}, world);
  return end(outcome, world.get());
}
