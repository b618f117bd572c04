#include "doubts.hpp"

#include "io/file_pattern.hpp"
#include "io/formats.hpp"
#include "io/text_table.hpp"

namespace tamis {

void say_doubts(const InputFlags& flags, const Common& common) {
  if (!is_text_table_name(flags.path) || common.quiet) return;
  const std::string first =
      is_pattern(flags.path) ? files_of_pattern(flags.path).at(0) : flags.path;
  const std::string doubt = doubt_about_names(first, open_options(flags).header);
  if (!doubt.empty()) say(common, "warning: " + doubt);
}

}  // namespace tamis
