// A claim of the study, and what our numbers say about it.
//
//   claim.check("cbcl: opgd / bpgd", ratio, ratio <= at_most);   // as often as there is something
//
// Every check that holds: confirmed. Some: partly confirmed. None: not confirmed. Without a check,
// because data or an algorithm were not there: not tested. A check of a number that does not exist
// (NaN) is no check, but counted.
//
//   claim.leave_out("the objective hardly falls");   // a check that would say nothing
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common.hpp"
#include "tamis/types.hpp"

namespace tamis::experiments {

class Claim {
 public:
  // rule: in words, when a check holds
  Claim(std::string id, std::string claim, std::string published, std::string rule)
      : id_(std::move(id)),
        claim_(std::move(claim)),
        published_(std::move(published)),
        rule_(std::move(rule)) {}

  void check(const std::string& what, double value, bool holds);
  void leave_out(const std::string& why, Index count = 1) { left_out_[why] += count; }
  // A number that belongs to it, but decides nothing
  void note(const std::string& what, double value);

  std::string verdict() const;
  std::string measured() const;
  Json to_json() const;

 private:
  Index held() const;

  struct Check {
    std::string what;
    double value;
    bool holds;
  };
  std::string id_, claim_, published_, rule_;
  std::vector<Check> checks_;
  std::map<std::string, Index> left_out_;  // how many, by why
  std::vector<std::pair<std::string, double>> notes_;
};

}  // namespace tamis::experiments
