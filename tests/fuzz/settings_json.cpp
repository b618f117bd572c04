// Settings as JSON, as they are in a model file.
#include "fuzz/settings_checks.hpp"

FUZZ(settings_json) {
  using namespace tamis;
  using namespace tamis::fuzz;
  accepted([&] { check_settings(Settings::from_json(text_of(bytes))); });
}
