// What an experiment says in the end: tables, figures, claims, pictures.
#pragma once

#include <string>
#include <vector>

#include "common.hpp"
#include "experiments/claims.hpp"
#include "experiments/runs.hpp"

namespace tamis::experiments {

struct Table {
  std::string name;  // of its file
  std::string title;
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<Json>> rows = {};  // text, numbers, null

  std::string to_csv() const;
  Json to_json() const;
};

// A cell; NaN is empty.
Json cell(double value);

class Summary {
 public:
  void add(Table table) { tables_.push_back(std::move(table)); }
  void add(const Claim& claim) { claims_.push_back(claim.to_json()); }
  void add_picture(const std::string& file, const std::string& title, const std::string& caption);

  struct Line {
    const Json* run;
    std::string label;
  };
  struct Figure {
    std::string name, title, data, curve, caption;
  };
  // Left out if no line has such a curve.
  void add(const Figure& figure, const std::vector<Line>& lines);

  const std::vector<Table>& tables() const { return tables_; }
  const Json& claims() const { return claims_; }
  // "figures", "tables", "claims", "pictures"
  void write_to(Json& json) const;

 private:
  std::vector<Table> tables_;
  Json figures_ = Json::array();
  Json claims_ = Json::array();
  Json pictures_ = Json::array();
};

}  // namespace tamis::experiments
