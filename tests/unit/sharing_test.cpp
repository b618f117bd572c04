// Short loops are shared only where that was measured to be faster. The measurements are made up
// here: no clock is read.
#include "sharing.hpp"

#include <gtest/gtest.h>

namespace tamis::test {
namespace {

// The mini-batches of both trials; the first of each still has to fetch what another core has.
void try_both(Sharing& sharing, double alone, double shared) {
  for (int i = 0; i < Sharing::trial; ++i) {
    EXPECT_FALSE(sharing.pays());
    sharing.took(i == 0 ? alone / 100 : alone + i % 3);
  }
  for (int i = 0; i < Sharing::trial; ++i) {
    EXPECT_TRUE(sharing.pays());
    sharing.took(i == 0 ? shared / 100 : shared + i % 3);
  }
}

void expect_until_next_trial(Sharing& sharing, bool pays) {
  for (int i = 0; i < Sharing::between; ++i) {
    EXPECT_EQ(sharing.pays(), pays) << "mini-batch " << i << " after the trials";
    sharing.took(0);  // no longer asked
  }
}

TEST(Sharing, TheFasterWayIsKept) {
  Sharing sharing;
  try_both(sharing, 10, 9);
  expect_until_next_trial(sharing, true);
}

TEST(Sharing, AloneIfThatIsNoSlower) {
  Sharing sharing;
  try_both(sharing, 10, 10);
  expect_until_next_trial(sharing, false);
}

TEST(Sharing, EveryTrialIsForItself) {
  Sharing sharing;
  try_both(sharing, 10, 9);
  expect_until_next_trial(sharing, true);
  try_both(sharing, 20, 30);
  expect_until_next_trial(sharing, false);
  try_both(sharing, 20, 15);
  expect_until_next_trial(sharing, true);
}

}  // namespace
}  // namespace tamis::test
