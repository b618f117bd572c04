// docs/settings.md, from the same lists of fields as everything else.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "settings/text.hpp"
#include "tamis/settings.hpp"

namespace tamis {
namespace {

using Row = std::vector<std::string>;

std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '\\');
  }
  return text;
}

std::string code(std::string_view text) {
  return text.empty() ? std::string() : fmt::format("`{}`", text);
}

std::string line(const Row& cells) {
  std::string result = "|";
  for (const std::string& cell : cells) {
    result += cell.empty() ? " |" : fmt::format(" {} |", escaped(cell));
  }
  return result + "\n";
}

std::string table(const Row& head, const std::vector<Row>& rows) {
  std::string result = line(head) + "|";
  for (std::size_t i = 0; i < head.size(); ++i) result += "---|";
  result += "\n";
  for (const Row& row : rows) result += line(row);
  return result;
}

std::string settings_table() {
  std::vector<Row> rows;
  for (const FieldDescription& field : describe_settings()) {
    rows.push_back({code(field.name), field.default_value, field.allowed, field.help});
  }
  return table({"setting", "default", "allowed", "meaning"}, rows);
}

// The rows of describe_choices that belong to one choice: options, each followed by its parameters.
std::vector<Row> option_rows(const std::vector<FieldDescription>& descriptions,
                             std::string_view choice) {
  std::vector<Row> rows;
  for (const FieldDescription& each : descriptions) {
    const std::string_view name = each.name;
    if (name.substr(0, name.find(' ')) != choice) continue;
    const bool is_option = std::count(name.begin(), name.end(), ' ') == 1;
    if (is_option) {
      rows.push_back({code(each.allowed), "", "", "", each.help});
    } else {
      rows.push_back({"", code(name.substr(name.rfind(' ') + 1)), each.default_value, each.allowed,
                      each.help});
    }
  }
  return rows;
}

std::string choices_tables() {
  std::string result;
  const std::vector<FieldDescription> descriptions = describe_choices();
  for (const FieldDescription& field : describe_settings()) {
    const std::vector<Row> rows = option_rows(descriptions, field.name);
    if (rows.empty()) continue;
    result += fmt::format("\n### {}\n\n", field.name);
    result += table({"write", "parameter", "default", "allowed", "meaning"}, rows);
  }
  return result;
}

template <class T>
constexpr bool can_be_unset = false;
template <class T>
constexpr bool can_be_unset<std::optional<T>> = true;

// What is filled in for a number of samples, one entry per field that can be unset
Row filled_in(const Settings& settings, std::optional<Index> N) {
  Row values;
  const Settings resolved = settings.resolved(N);
  Settings::fields(resolved, [&]<class Field>(std::string_view, const Field& value, auto&&...) {
    if constexpr (can_be_unset<Field>) values.push_back(value ? text::write(value) : "all samples");
  });
  return values;
}

// Those that depend on the number of samples, by examples
Row defaults_row(const Settings& settings) {
  constexpr Index few = 20'000, some = 100'000, many = 1'000'000;
  const Row unknown = filled_in(settings, std::nullopt), of_few = filled_in(settings, few),
            of_some = filled_in(settings, some), of_many = filled_in(settings, many);
  Row row;
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    const bool depends_on_N = of_many[i] != unknown[i] && unknown[i] != "all samples";
    row.push_back(depends_on_N ? fmt::format("{} for 20,000 samples, {} for 100,000, {} for a "
                                             "million; {} if their number is not known",
                                             of_few[i], of_some[i], of_many[i], unknown[i])
                               : unknown[i]);
  }
  return row;
}

// What each algorithm fills in, one column per field that can be unset.
std::string defaults_table() {
  Row head = {"algorithm"};
  std::vector<Row> rows;
  for_each_option<Algorithm>([&](const auto& algorithm) {
    Settings settings;
    settings.algorithm = algorithm;
    Row row = defaults_row(settings);
    row.insert(row.begin(), code(algorithm.name));
    rows.push_back(row);
  });
  Settings defaults;
  Settings::fields(defaults, [&]<class Field>(std::string_view name, const Field&, auto&&...) {
    if constexpr (can_be_unset<Field>) head.push_back(code(name));
  });
  return table(head, rows);
}

}  // namespace

std::string settings_markdown() {
  return "# Settings\n\n"
         "Everything that can be set, generated from the lists of fields in the headers.\n\n" +
         settings_table() +
         "\nGroups are lists of indices from 0, `;` between them: `0,1;2,3`. The program's flags "
         "`--outlier-groups` (of features), `--code-groups` (of atoms) and `--groups` (of "
         "whichever penalty has them) also take the name of a file with one line of indices per "
         "group, blanks or commas between them. Every index is in exactly one group.\n"
         "\n## Choices\n\n"
         "Parameters follow the name in order or by name, as in `elastic-net:0.1,0.5` or "
         "`elastic-net:0.1,g2=0.5`; those left out keep their defaults.\n" +
         choices_tables() +
         "\n## What an algorithm assumes\n\n"
         "Settings that are `by algorithm` (written `default`) become:\n\n" +
         defaults_table() +
         "\nMini-batches that depend on the number of samples N are those of the study: 5·10⁻⁵N, "
         "rounded, at least 1. An `init` that is made of samples needs as many as atoms in the "
         "first one, and so a `batch_size`.\n";
}

}  // namespace tamis
