#include "experiments/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "experiments/json_number.hpp"

namespace tamis::experiments {
namespace {

std::string csv_field(const Json& cell) {
  if (cell.is_null()) return {};
  if (!cell.is_string()) return cell.dump();
  auto text = cell.get<std::string>();
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2)
    text.insert(at, 1, '"');
  return '"' + text + '"';
}

}  // namespace

Json cell(double value) { return number_or_null(value); }

std::string Table::to_csv() const {
  std::string text;
  const auto add_line = [&](const auto& cells) {
    std::vector<std::string> fields;
    fields.reserve(cells.size());
    for (const auto& cell : cells) fields.push_back(csv_field(Json(cell)));
    text += fmt::format("{}\n", fmt::join(fields, ","));
  };
  add_line(columns);
  for (const auto& row : rows) add_line(row);
  return text;
}

Json Table::to_json() const {
  return {
      {"name", name}, {"title", title}, {"caption", caption}, {"columns", columns}, {"rows", rows}};
}

void Summary::add_picture(const std::string& file, const std::string& title,
                          const std::string& caption) {
  pictures_.push_back({{"file", file}, {"title", title}, {"caption", caption}});
}

void Summary::add(const Figure& figure, const std::vector<Line>& lines) {
  Json drawn = Json::array();
  for (const Line& line : lines) {
    if (line.run == nullptr || !(*line.run)["curves"].contains(figure.curve)) continue;
    drawn.push_back({{"run", (*line.run)["id"]}, {"label", line.label}});
  }
  if (drawn.empty()) return;
  figures_.push_back({{"name", figure.name},
                      {"title", figure.title},
                      {"data", figure.data},
                      {"curve", figure.curve},
                      {"caption", figure.caption},
                      {"lines", drawn}});
}

void Summary::write_to(Json& json) const {
  json["figures"] = figures_;
  json["tables"] = Json::array();
  for (const Table& table : tables_) json["tables"].push_back(table.to_json());
  json["claims"] = claims_;
  json["pictures"] = pictures_;
}

}  // namespace tamis::experiments
