#include "fit_flags.hpp"

namespace tamis {

void FitFlags::add_outputs(CLI::App& command) {
  command.add_option("--out", out, "The model, HDF5")
      ->type_name("FILE")
      ->required()
      ->group("Output");
  command.add_option("--codes", codes, "H, one row per sample, as found on arrival")
      ->type_name("FILE")
      ->group("Output");
  command.add_option("--outliers", outliers, "R, one row per sample; .mtx is sparse")
      ->type_name("FILE")
      ->group("Output");
  add_force(command, common);
}

void FitFlags::add_checkpoints(CLI::App& command) {
  const std::string group = "Stopping and going on";
  command.add_option("--checkpoint", checkpoint, "Save the state now and then")
      ->type_name("FILE")
      ->group(group);
  command.add_option("--checkpoint-every", checkpoint_every, "Mini-batches in between")
      ->type_name("n")
      ->check(whole_number(1))
      ->capture_default_str()
      ->group(group);
  command.add_option("--resume", resume, "Go on from a saved state, to the same bits")
      ->type_name("FILE")
      ->group(group);
}

void FitFlags::add_ranks(CLI::App& command) {
  const std::string group = "Several processes (mpirun)";
  command
      .add_option("--sync-every", sync_every,
                  "Exchange sums of so many mini-batches at once, as if they were one")
      ->type_name("n")
      ->check(whole_number(1))
      ->capture_default_str()
      ->group(group);
  command.add_option("--wire", wire, "Precision of what is exchanged: double, float")
      ->type_name("X")
      ->check(CLI::IsMember({"float", "double"}))
      ->capture_default_str()
      ->group(group);
  command
      .add_flag("--async", async,
                "Exchange sums while the next mini-batch is encoded, and learn from them one late")
      ->group(group);
}

void FitFlags::add_to(CLI::App& command) {
  add_outputs(command);
  add_checkpoints(command);
  settings.add_to(command);
  command.add_option("--precision", precision, "of all computations: float, double")
      ->type_name("X")
      ->check(CLI::IsMember({"float", "double"}))
      ->default_str("float")
      ->group("Learning");
  add_input_flags(command, input);
  add_ranks(command);
}

}  // namespace tamis
