// tamis fit: learn a dictionary from a stream of samples.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "checkpoint.hpp"
#include "comm/mpi.hpp"
#include "commands.hpp"
#include "doubts.hpp"
#include "fit_flags.hpp"
#include "fitting.hpp"
#include "interrupt.hpp"
#include "io/atomic_file.hpp"
#include "io/formats.hpp"
#include "io/part_file.hpp"
#include "kept.hpp"
#include "outputs.hpp"
#include "passes.hpp"
#include "processors.hpp"
#include "report.hpp"
#include "tamis/tamis.hpp"

namespace tamis {
namespace {

// The same for ranks that only help: rank 0 speaks and writes for all.
FitFlags silent(FitFlags flags) {
  flags.common = {.quiet = true, .json = false, .force = true};
  flags.codes = flags.outliers = flags.checkpoint = "";
  return flags;
}

// Processes on the same machine share its processors.
std::optional<Index> threads(const FitFlags& flags, const MpiWorld* world) {
  const auto given = flags.settings.threads();
  if (given.value_or(0) > 0 || world == nullptr) return given;
  return std::max<Index>(1, processors_to_share() / world->ranks_here());
}

// Ours are saved before their last pass ends, or say how they ended; those of Python may be
// complete.
template <class T>
void check_unfinished(const Trainer<T>& trainer, const std::string& file) {
  if (trainer.ended() || trainer.model().epoch < passes_of(trainer.model().settings)) return;
  throw FileError(file +
                  ": its fit is complete, nothing is left to go on with; learn more with "
                  "partial_fit in Python, or begin anew without --resume");
}

template <class T>
Trainer<T> make_trainer(const FitFlags& flags, const MpiWorld* world) {
  if (flags.resume.empty()) {
    Settings settings = flags.settings.settings();
    settings.threads = threads(flags, world).value_or(settings.threads);
    return Trainer<T>(settings);
  }
  Trainer<T> trainer = Trainer<T>::load(flags.resume, threads(flags, world));
  check_unfinished(trainer, flags.resume);
  flags.settings.check_agree(trainer.model().settings, flags.resume);
  return trainer;
}

// Here, not after the first pass
template <class T>
void check_passes(const Input<T>& input, const Settings& settings) {
  if (input.source.reader().access() == Access::once && Outputs::last_epoch(settings) > 0)
    throw DataError("standard input: a pipe flows by once: --epochs needs a file");
}

// A run that was killed while it gave its outputs their names may have done so with some of them.
FitFlags without_published(FitFlags flags) {
  for (std::string* output : {&flags.codes, &flags.outliers})
    if (*output != "-" && was_published(*output)) output->clear();
  return flags;
}

template <class T>
void set_checkpoints(FitOptions<T>& options, const FitFlags& flags, const Checkpoint& checkpoint) {
  options.checkpoint_every = flags.checkpoint_every;
  if (checkpoint.asked_for) options.checkpoint = checkpoint.path;
  if (checkpoint.asked_for || flags.resume.empty()) return;
  // Only at the end: outputs that get their names would not be found by the state that is resumed.
  options.checkpoint = checkpoint.path;
  options.checkpoint_every = std::numeric_limits<Index>::max();
}

template <class T>
void stop(const FitFlags& flags, const Trainer<T>& trainer, const Checkpoint& checkpoint,
          const FitResult<T>& result) {
  if (!trainer.model().trained()) throw Interrupted("stopped before anything was learned");
  const std::string path = checkpoint.free_path();
  trainer.save(path);
  std::string lost;
  for (const std::string& output : {flags.codes, flags.outliers})
    if (!can_be_resumed(output))
      lost += fmt::format(", without {}, which cannot be continued", output);
  throw Interrupted(fmt::format("{}; the state is in {}: go on with --resume {}{}", result.message,
                                path, path, lost));
}

// What took the name while the model was learned is not replaced without --force.
template <class T>
void save(const Model<T>& model, const std::string& out, bool force) {
  const bool taken = !force && std::filesystem::exists(out);
  const std::string path = taken ? out + ".part" : out;
  remove_abandoned(path);
  model.save(path);
  if (taken) throw FileError(fmt::format("{}: appeared meanwhile; the model is in {}", out, path));
}

// Learns. What was written of outputs stays for a run that goes on, if it finds a state to go on
// from.
template <class T>
FitResult<T> learn(Trainer<T>& trainer, Input<T>& input, const FitOptions<T>& options,
                   const FitFlags& flags) {
  try {
    return fit_with_progress(trainer, input, options, flags.common);
  } catch (...) {
    if (flags.resume.empty() && !std::filesystem::exists(options.checkpoint))
      for (const std::string& output : {flags.codes, flags.outliers})
        if (!output.empty() && output != "-") remove_unfinished(output);
    throw;
  }
}

// The model last: who finds it finds everything. But it is not lost with an output that fails.
template <class T>
void finish(WriterSink<T>& sink, const Model<T>& model, const FitFlags& flags) {
  try {
    sink.finish();
  } catch (...) {
    save(model, flags.out, flags.common.force);
    throw;
  }
  save(model, flags.out, flags.common.force);
}

// Who finds a model under the name of other data would not know what it is.
void check_ending(const char* flag, const std::string& path) {
  const auto* format = find_writer_format<float>(path);
  const bool told = std::filesystem::path(path).has_extension() && format != nullptr;
  if (told && !is_hdf5_name(path))
    throw SettingsError(
        fmt::format("{} {}: a model is HDF5; give it a name that ends in .h5", flag, path));
}

// A run that goes on may keep its state where it was.
void check_inputs_kept(const FitFlags& flags) {
  check_kept({flags.input.path, flags.resume}, {flags.out, flags.codes, flags.outliers});
  check_kept({flags.input.path}, {flags.checkpoint});
}

template <class T>
void run_fit(const FitFlags& given, MpiWorld* world) {
  watch_for_interrupt();
  const Common& common = given.common;
  check_inputs_kept(given);
  const Checkpoint checkpoint(given.checkpoint, given.out, given.resume, common.force);
  Trainer<T> trainer = make_trainer<T>(given, world);
  const bool helps = world != nullptr && world->comm().rank() != 0;
  if (!helps) remove_abandoned(checkpoint.path);
  const FitFlags flags = trainer.ended() ? without_published(given) : given;
  const Settings settings = trainer.model().settings;
  if (flags.out == "-") throw SettingsError("--out: a model is HDF5, which needs a file");
  check_writable({flags.out, flags.codes, flags.outliers}, settings.shuffle, common);
  check_outputs({flags.out, checkpoint.path}, true);  // an old checkpoint may be replaced
  check_ending("--out", flags.out);
  check_ending("--checkpoint", flags.checkpoint);
  if (world != nullptr && flags.input.path == "-")
    throw DataError("standard input: a pipe cannot be shared among ranks: give a file");
  Input<T> input(flags.input);
  say_doubts(flags.input, common);
  check_passes(input, settings);
  const Outputs outputs(input.source, settings.rank, common.force);
  WriterSink<T> sink(outputs.template codes<T>(flags.codes),
                     outputs.template outliers<T>(flags.outliers), Outputs::last_epoch(settings));

  FitOptions<T> options;
  const bool writes = !flags.codes.empty() || !flags.outliers.empty();
  options.sink = writes ? &sink : nullptr;
  options.resume = !flags.resume.empty();
  options.selection = selection(flags.input);
  set_checkpoints(options, flags, checkpoint);
  if (world != nullptr) options.distribution.comm = &world->comm();
  options.distribution.sync_every = flags.sync_every;
  options.distribution.float_wire = flags.wire == "float";
  options.distribution.async = flags.async;
  const FitResult<T> result = learn(trainer, input, options, flags);

  if (helps) return;
  if (result.status == Status::interrupted) stop(flags, trainer, checkpoint, result);
  if (result.status == Status::diverged) throw RunFailed(result.message);
  finish(sink, result.model, flags);
  checkpoint.clean_up(flags.resume, writes);
  say(common, summary(result) + "; the model is in " + flags.out);
  Json json = to_json(result);
  json["model"] = flags.out;
  json["ranks"] = world == nullptr ? 1 : world->comm().size();
  print_result(common, json, "");
}

}  // namespace

void add_fit(CLI::App& app, const std::unique_ptr<MpiWorld>& world) {
  const auto flags = std::make_shared<FitFlags>();
  CLI::App* command =
      add_command(app, "fit", "Learn a dictionary from samples",
                  "tamis fit faces.npy --rank 49 --out model.h5 --outliers R.npy", flags->common);
  command->add_option("INPUT", flags->input.path, input_help)->required();
  flags->add_to(*command);
  command->callback([flags, &world] {
    bool in_double = flags->precision == "double";
    if (!flags->resume.empty()) {
      const bool saved = model_type(flags->resume) == ElementType::f64;
      if (!flags->precision.empty() && saved != in_double)
        throw SettingsError(fmt::format("--precision {} differs from what {} was begun with",
                                        flags->precision, flags->resume));
      in_double = saved;
    }
    const bool helps = world && world->comm().rank() != 0;
    const FitFlags mine = helps ? silent(*flags) : *flags;
    in_double ? run_fit<double>(mine, world.get()) : run_fit<float>(mine, world.get());
  });
}

}  // namespace tamis
