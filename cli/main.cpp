// The program `tamis`. The only place that catches exceptions and turns them into exit codes.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string_view>

#include "commands.hpp"
#include "tamis/error.hpp"
#include "tamis/version.hpp"

namespace {

enum ExitCode { ok = 0, run_failed = 1, bad_usage = 2, bad_input = 3 };

int report(ExitCode code, std::string_view message) {
  fmt::print(stderr, "tamis: {}\n", message);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Online nonnegative matrix factorization with outliers: V = WH + R"};
  app.name("tamis");
  app.set_version_flag("--version", fmt::format("tamis {}", tamis::version));
  app.require_subcommand(1);
  tamis::add_demo(app);

  try {
    app.parse(argc, argv);  // also runs the subcommand
    return ok;
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    return report(bad_usage, fmt::format("{} (tamis --help lists what there is)", error.what()));
  } catch (const tamis::SettingsError& error) {
    return report(bad_usage, error.what());
  } catch (const tamis::DataError& error) {
    return report(bad_input, error.what());
  } catch (const tamis::FileError& error) {
    return report(bad_input, error.what());
  } catch (const std::exception& error) {
    return report(run_failed, error.what());
  }
}
