#include "tamis/generate/generator.hpp"

#include "generate/options.hpp"
#include "generate/registry.hpp"

namespace tamis {

template <class T>
std::unique_ptr<Generator<T>> make_generator(const GeneratorOptions& options) {
  return std::visit([](const auto& chosen) { return generator_for<T>(chosen); }, options);
}

GeneratorOptions parse_generator(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string_view whole = text;
  const std::string_view name = text::trimmed(whole.substr(0, colon));
  std::optional<GeneratorOptions> result;
  for_each_option<GeneratorOptions>([&]<class Options>(Options options) {
    if (name != Options::name) return;
    if (colon != std::string_view::npos) read_options(name, whole.substr(colon + 1), options);
    result = options;
  });
  if (!result)
    throw SettingsError("generator: " +
                        text::not_known(name, text::option_names<GeneratorOptions>()));
  return *result;
}

template std::unique_ptr<Generator<float>> make_generator(const GeneratorOptions&);
template std::unique_ptr<Generator<double>> make_generator(const GeneratorOptions&);

}  // namespace tamis
