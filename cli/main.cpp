// The program `tamis`. The only place that catches exceptions and turns them into exit codes.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "commands.hpp"
#include "common.hpp"
#include "config.hpp"
#include "help.hpp"
#include "suggestions.hpp"
#include "tamis/error.hpp"
#include "tamis/version.hpp"

namespace {

enum ExitCode { ok = 0, run_failed = 1, bad_usage = 2, bad_input = 3, interrupted = 130 };

// One line on standard error; with --json also the one object on standard output.
int report(ExitCode code, std::string message, bool json) {
  std::ranges::replace(message, '\n', ' ');
  tamis::print_error(fmt::format("tamis: {}\n", message));
  if (json) {
    const tamis::Json object{{"status", code == interrupted ? "interrupted" : "error"},
                             {"message", message},
                             {"exit_code", int(code)}};
    fmt::print("{}\n", object.dump(2, ' ', false, tamis::Json::error_handler_t::replace));
  }
  return code;
}

// Success, if standard output took all of it
int printed(bool json) {
  if (std::fflush(stdout) == 0 && std::cout.good()) return ok;
  return report(run_failed, "standard output: cannot be written", json);
}

bool wants_json(const std::vector<std::string>& arguments) {
  return std::ranges::find(arguments, "--json") != arguments.end();
}

int run(CLI::App& app, std::vector<std::string> arguments) {
  bool json = wants_json(arguments);
  try {
    arguments = tamis::with_config(app, std::move(arguments));
    json = wants_json(arguments);
    for (const std::string& word : arguments) {
      if (word.starts_with("--") && word.ends_with('='))
        throw tamis::SettingsError(word + " has no value");
    }
    std::ranges::reverse(arguments);  // as the parser wants them
    app.parse(arguments);             // also runs the command
    return printed(json);
  } catch (const CLI::Success& help_or_version) {
    app.exit(help_or_version);
    std::cout.flush();
    return printed(json);
  } catch (const CLI::ParseError& error) {
    // A flag that is not known explains more than one that is missing for it.
    if (!app.remaining(true).empty()) return report(bad_usage, tamis::about_leftovers(app), json);
    return report(bad_usage, fmt::format("{} (--help lists what there is)", error.what()), json);
  } catch (const tamis::SettingsError& error) {
    return report(bad_usage, error.what(), json);
  } catch (const tamis::Interrupted& stop) {
    return report(interrupted, stop.what(), json);
  } catch (const tamis::DataError& error) {
    return report(bad_input, error.what(), json);
  } catch (const tamis::FileError& error) {
    return report(bad_input, error.what(), json);
  } catch (const std::filesystem::filesystem_error& error) {
    return report(run_failed, error.what(), json);
  } catch (const std::system_error& error) {
    const std::string message = error.what();
    const bool from_fmt = message.starts_with("cannot write to file");
    return report(run_failed, (from_fmt ? "standard output: " : "") + message, json && !from_fmt);
  } catch (const std::bad_alloc&) {
    return report(run_failed, "not enough memory; a smaller --batch-size or --rank needs less",
                  json);
  } catch (const std::exception& error) {
    return report(run_failed, error.what(), json);
  }
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
  CLI::App app{"Online nonnegative matrix factorization with outliers: V = WH + R"};
  app.name("tamis");
  app.set_version_flag("--version", fmt::format("tamis {}", tamis::version));
  app.require_subcommand(1);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.formatter(tamis::help_formatter());
  app.footer("tamis COMMAND --help tells more about a command.");
  tamis::add_fit(app);
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

  return run(app, {argv + 1, argv + argc});
}
