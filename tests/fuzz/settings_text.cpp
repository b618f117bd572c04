// Values of settings as on a command line: lines of field=value.
#include "fuzz/settings_checks.hpp"

FUZZ(settings_text) {
  using namespace tamis;
  using namespace tamis::fuzz;
  Settings settings;
  std::string_view rest = text_of(bytes);
  for (int i = 0; i < 8 && !rest.empty(); ++i) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t equals = std::min(line.find('='), line.size());
    const Settings before = settings;
    const bool set = accepted([&] {
      settings.set(line.substr(0, equals), line.substr(std::min(equals + 1, line.size())));
    });
    require(set || settings == before, "what is refused changes nothing");
  }
  check_settings(settings);
}
