// The extension grid: every constraint, penalty, bound and sign with every solver, and small
// planted problems to run them on.
#pragma once

#include <string>
#include <vector>

#include "support/kkt.hpp"
#include "tamis/settings.hpp"

namespace judge {

// An outlier penalty with blocks of entries, or with the whole column as one.
struct OutlierOption {
  tamis::OutlierPenalty penalty;
  tamis::Groups groups;
  std::string name;
};

struct Solver {
  std::string name;
  tamis::Algorithm algorithm;  // set to run until it cannot improve
};

std::vector<tamis::Constraint> grid_constraints();
std::vector<tamis::CodePenalty> grid_code_penalties();
std::vector<OutlierOption> grid_outlier_options();
std::vector<Solver> grid_solvers();
tamis::Groups grid_code_groups();

// The same solvers with at most so many encoder iterations.
std::vector<Solver> hurried(std::vector<Solver> solvers, tamis::Index iterations);

// Columns of W on the boundary of C, samples Wh + noise with spikes, a shifted sample and missing
// entries.
struct PlantedData {
  tamis::Matrix<double> W;  // 12×3
  tamis::Matrix<double> H;  // 3×n
  tamis::Matrix<double> V;  // 12×n
};
PlantedData planted_data(const tamis::Constraint& constraint, tamis::Index n, std::uint64_t seed);

// Averages of hhᵀ and vhᵀ with the planted codes, v without spikes and gaps. W_start is in C, but
// far from W.
struct PlantedStatistics {
  tamis::Matrix<double> A;
  tamis::Matrix<double> B;
  tamis::Matrix<double> W_start;
};
PlantedStatistics planted_statistics(const tamis::Constraint& constraint, bool rank_deficient,
                                     std::uint64_t seed);

}  // namespace judge
