#include "encode_flags.hpp"

#include "common.hpp"

namespace tamis {

void add_encode_flags(CLI::App& command, EncodeOptions& options) {
  const std::string group = "Accuracy";
  command
      .add_option("--tolerance", options.tolerance,
                  "Accuracy relative to the size of a sample's codes")
      ->type_name("x")
      ->check(a_number(true))
      ->capture_default_str()
      ->group(group);
  command.add_option("--iterations", options.iterations, "At most, per sample")
      ->type_name("n")
      ->check(whole_number(1))
      ->capture_default_str()
      ->group(group);
}

}  // namespace tamis
