// The update that `fast` makes where the norm of an atom is only a gauge, judged like the others:
// W, A and B are rescaled together, so W must be stationary for the A and B that the model then
// has.
#include <gtest/gtest.h>

#include "support/kkt.hpp"
#include "tamis/tamis.hpp"

namespace {

using namespace tamis;

Model<double> learned(const Constraint& constraint, Index sweeps) {
  Settings settings;
  settings.rank = 4;
  settings.constraint = constraint;
  settings.reseed = false;
  settings.algorithm = Fast{.sweeps = sweeps};
  Trainer<double> trainer(settings);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    trainer.partial_fit(parts<double>({.F = 30, .K = 4, .N = 60, .seed = seed}).V);
  }
  return trainer.model();
}

double residual(const Model<double>& model) {
  return judge::verify_dictionary(model.W, model.A, model.B, NonNegative{}, {}).worst();
}

TEST(RescaledUpdate, IsStationaryForTheRescaledStatistics) {
  for (const Constraint& constraint : {Constraint(Ball{}), Constraint(NonNegative{})}) {
    SCOPED_TRACE(name_of(constraint));
    const auto model = learned(constraint, 5000);
    EXPECT_LT(residual(model), 1e-8);
    for (Index j = 0; j < model.rank(); ++j) EXPECT_NEAR(model.W.col(j).norm(), 1, 1e-12);
  }
}

TEST(RescaledUpdate, OneSweepIsNotEnough) { EXPECT_GT(residual(learned(Ball{}, 1)), 1e-6); }

}  // namespace
