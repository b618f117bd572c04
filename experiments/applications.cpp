#include "experiments/applications.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/algorithms.hpp"
#include "experiments/data_sets.hpp"
#include "experiments/published.hpp"

namespace tamis::experiments {
namespace {

constexpr Index study_rank = 49;

std::string in_words(std::string measure) {
  std::ranges::replace(measure, '_', ' ');
  return measure;
}

}  // namespace

Table application_table(const Runs& runs, const std::string& experiment, const std::string& data,
                        const std::string& caption, const std::vector<std::string>& measures) {
  Table table{
      experiment + "-" + data,
      std::string(data_set_info(data).title),
      caption,
      {"algorithm", "seconds", "seconds std", "seconds published", "seconds published std"}};
  for (const std::string& measure : measures) table.columns.push_back(in_words(measure));
  for (const std::string& label : runs.labels({{"data", data}})) {
    const Filter filter{{"data", data}, {"label", label}};
    const Statistics seconds = runs.statistics("seconds", filter);
    const Published theirs = published("seconds", data, study_rank, 0, label);
    std::vector<Json> row{label, cell(seconds.mean),
                          cell(seconds.n > 1 ? seconds.std : std::nan("")), cell(theirs.mean),
                          cell(theirs.std)};
    for (const std::string& measure : measures) row.push_back(cell(runs.mean(measure, filter)));
    table.rows.push_back(row);
  }
  return table;
}

double mean_of(const Runs& runs, const std::string& measure, const std::string& data,
               const std::string& label) {
  return runs.mean(measure, {{"data", data}, {"label", label}});
}

void check_times(const Runs& runs, const std::vector<std::string>& sets, const TimeRatios& ratios,
                 Claim& claim) {
  for (const std::string& set : sets)
    for (const std::string& ours : our_online) {
      const double own = mean_of(runs, "seconds", set, ours);
      const double orpca = own / mean_of(runs, "seconds", set, "orpca");
      claim.check(fmt::format("{}: {}/orpca", set, ours), orpca,
                  orpca >= ratios.orpca_least && orpca <= ratios.orpca_most);
      for (const char* other : {"bpgd", "badmm", "onmf"}) {
        const double ratio = own / mean_of(runs, "seconds", set, other);
        claim.check(fmt::format("{}: {}/{}", set, ours, other), ratio, ratio <= ratios.others_most);
      }
    }
}

}  // namespace tamis::experiments
