// tamis evaluate mask: masks of what moves against labels, as changedetection.net counts.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "evaluate_measures.hpp"
#include "evaluate_pair.hpp"
#include "input.hpp"
#include "interrupt.hpp"
#include "io/formats.hpp"
#include "io/npy_numbers.hpp"
#include "settings/text.hpp"
#include "tamis/error.hpp"
#include "tamis/evaluate/mask.hpp"

namespace tamis {
namespace {

struct MaskFlags : PairFlags {
  std::string frames;
};

// "3,4,7", a .npy file, or a text file of numbers
std::vector<Index> frame_numbers(const std::string& given) {
  if (has_ending(given, {".npy"})) return read_npy_numbers(given);
  std::string list = given;
  std::error_code ignored;  // a long list is no name of a file
  if (std::filesystem::is_regular_file(given, ignored)) {
    std::ifstream file(given);
    std::ostringstream words;
    for (std::string word; file >> word;) words << (words.tellp() > 0 ? "," : "") << word;
    list = words.str();
  }
  Groups groups;
  text::read("--frames", list, groups);
  if (groups.size() != 1 || groups.front().empty())
    throw SettingsError("--frames takes one list of numbers (3,4,7), or a file of them");
  if (std::ranges::min(groups.front()) < 0)
    throw SettingsError("--frames: numbers are counted from 0, none is negative");
  return groups.front();
}

void run_mask(MaskFlags flags) {
  watch_for_interrupt();
  if (!flags.frames.empty()) flags.options.places = frame_numbers(flags.frames);
  PairedInput input = flags.open();
  MaskCount count;
  naming_file(flags.first, [&] {
    while (input.next()) count.add<double>(input.first(), input.second());
  });
  require_samples(flags, input.samples());
  const MaskScore score = naming_file(flags.first, [&] { return count.score(); });
  Json json = pair_json(flags, "truth", "masks");
  json.update({{"precision", score.precision},
               {"recall", score.recall},
               {"f", score.f},
               {"pbc", score.pbc},
               {"tp", count.tp},
               {"fp", count.fp},
               {"fn", count.fn},
               {"tn", count.tn},
               {"ignored", count.ignored},
               {"frames", input.samples()}});
  print_result(flags.common, json,
               fmt::format("precision {:.4f}  recall {:.4f}  F {:.4f}  PBC {:.4f} %\n"
                           "TP {}  FP {}  FN {}  TN {}  not counted {}, in {} frames\n",
                           score.precision, score.recall, score.f, score.pbc, with_commas(count.tp),
                           with_commas(count.fp), with_commas(count.fn), with_commas(count.tn),
                           with_commas(count.ignored), with_commas(input.samples())));
}

}  // namespace

void add_evaluate_mask(CLI::App& group) {
  const auto flags = std::make_shared<MaskFlags>();
  CLI::App* command =
      add_command(group, "mask", "How good masks of what moves are, as CDnet counts",
                  "tamis evaluate mask labels/ masks/ --frames 23,39,47", flags->common);
  add_pair(*command, *flags, "TRUTH",
           "Labels (0 and 50 background, 255 foreground, 85 and 170 not counted)", "MASKS",
           "What was found: brighter than middle gray is foreground");
  add_peak(*command, *flags);
  command
      ->add_option("--frames", flags->frames,
                   "Which masks the labels belong to, counted from 0: 3,4,7, or a .npy or text "
                   "file of numbers [all, in order]")
      ->type_name("LIST")
      ->group("Input");
  command->callback([flags] { run_mask(*flags); });
}

}  // namespace tamis
