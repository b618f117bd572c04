// How rows are cut up: what a panel and a task are does not change results by more than rounding
// errors, so that only this looks at their sizes. All numbers here are counted by hand.
#include "encoder/row_tasks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tamis::test {
namespace {

struct Panel {
  Index task, top, rows;
  bool operator==(const Panel&) const = default;
};

std::vector<Panel> panels_of(const RowTasks& tasks) {
  std::vector<Panel> found;
  tasks.run(Executor(), [&](Index task, int slot, Index top, Index rows) {
    EXPECT_EQ(slot, 0);
    found.push_back({task, top, rows});
  });
  return found;
}

TEST(RowTasks, PanelsCoverAllRowsOnceInTheirOrder) {
  for (const Index F : {1, 31, 32, 33, 500, 511, 512, 513, 1000, 16383, 16384, 16385, 70001}) {
    for (const Index columns : {0, 1, 256, 1000, 5000}) {
      const RowTasks tasks(F, columns);
      Index next = 0;
      for (const Panel& panel : panels_of(tasks)) {
        EXPECT_EQ(panel.top, next);
        EXPECT_EQ(panel.task, panel.top / tasks.task_rows());
        EXPECT_EQ(panel.rows, std::min(tasks.panel_rows(), F - next));
        next += panel.rows;
      }
      EXPECT_EQ(next, F);
      EXPECT_EQ(tasks.panel_rows() % 32, 0);
      EXPECT_EQ(tasks.task_rows() % tasks.panel_rows(), 0);
      EXPECT_EQ(tasks.count(), panels_of(tasks).back().task + 1);
    }
  }
}

TEST(RowTasks, HalvesAreTwoTasksOfFewRowsAndNeverMoreThan64) {
  EXPECT_EQ(panels_of(RowTasks::halves(1)), (std::vector<Panel>{{0, 0, 1}}));
  EXPECT_EQ(panels_of(RowTasks::halves(361)), (std::vector<Panel>{{0, 0, 192}, {1, 192, 169}}));
  EXPECT_EQ(RowTasks::halves(64 * 512).count(), 64);
  EXPECT_EQ(RowTasks::halves(64 * 512 + 1).count(), 64);  // of 513 rows, in panels of 512 and 1
  EXPECT_EQ(panels_of(RowTasks::halves(64 * 512 + 1))[1], (Panel{0, 512, 1}));
}

TEST(RowTasks, APanelStaysInTheCacheAndAllAreAboutTheSame) {
  // 128·1024 numbers: 128 rows of 1024 in a panel, 8 panels for 1000 rows
  EXPECT_EQ(RowTasks(1000, 1024).panel_rows(), 128);
  EXPECT_EQ(RowTasks(1024, 1024).panel_rows(), 128);
  // 1025 rows need a ninth panel: 114 rows each, 128 with whole lines
  EXPECT_EQ(panels_of(RowTasks(1025, 1024)).size(), 9);
  // never fewer than 64 rows, never more than 512
  EXPECT_EQ(RowTasks(1000, 10000).panel_rows(), 64);
  EXPECT_EQ(RowTasks(1024, 1).panel_rows(), 512);
  EXPECT_EQ(RowTasks(1024, 0).panel_rows(), 512);
  // 600 rows are two panels of 300, not 512 and a rest
  EXPECT_EQ(RowTasks(600, 1).panel_rows(), 320);
  EXPECT_EQ(RowTasks(577, 1).panel_rows(), 320);
  EXPECT_EQ(RowTasks(576, 1).panel_rows(), 288);
  EXPECT_EQ(RowTasks(1, 1).panel_rows(), 32);
}

TEST(RowTasks, FewRowsAreOneTask) {
  EXPECT_EQ(RowTasks(1, 1).count(), 1);
  EXPECT_EQ(RowTasks(1, 1).task_rows(), 32);
  EXPECT_EQ(RowTasks(1000, 1024).task_rows(), 1024);
  EXPECT_EQ(RowTasks(1024, 1024).task_rows(), 1024);
  EXPECT_EQ(RowTasks(many_rows - 1, 1).count(), 1);
  EXPECT_EQ(RowTasks(many_rows - 1, 1).task_rows(), many_rows);
  EXPECT_EQ(RowTasks(0, 1).count(), 0);
  EXPECT_TRUE(panels_of(RowTasks(0, 1)).empty());
}

TEST(RowTasks, ManyRowsAreSharedInTasksOfAQuarterOfManyOrMore) {
  EXPECT_EQ(many_rows, 16384);
  EXPECT_EQ(RowTasks(many_rows, 1).task_rows(), 4096);
  EXPECT_EQ(RowTasks(many_rows, 1).count(), 4);
  EXPECT_EQ(RowTasks(many_rows + 1, 1).count(), 5);
  // and in 64 at most
  EXPECT_EQ(RowTasks(64 * 4096, 1).count(), 64);
  EXPECT_EQ(RowTasks(64 * 4096, 1).task_rows(), 4096);
  EXPECT_EQ(RowTasks(64 * 5120, 1).task_rows(), 5120);
  EXPECT_EQ(RowTasks(64 * 5120, 1).count(), 64);
  EXPECT_EQ(RowTasks(64 * 5120 + 1, 1).task_rows(), 5632);  // 11 panels of 512
}

TEST(RowTasks, APenaltyOfWholeColumnsHasThemInOnePanel) {
  const std::vector<Panel> whole{{0, 0, 20000}};
  EXPECT_EQ(panels_of(RowTasks(20000, 7, true)), whole);
  EXPECT_EQ(panels_of(encoding_tasks(20000, 7, false)), whole);
  EXPECT_EQ(RowTasks(0, 7, true).count(), 0);
  EXPECT_GT(panels_of(encoding_tasks(20000, 7, true)).size(), 1);
}

TEST(RowTasks, EncodingCountsTheAtomsAndTwoNumbersPerSample) {
  EXPECT_EQ(samples_together(many_rows - 1), widest_column_block);
  EXPECT_EQ(samples_together(many_rows), 64);
  // 960 atoms and 32 samples twice: 1024 numbers per row, of which 128 rows stay in the cache
  EXPECT_EQ(encoding_tasks(384, 960, true).panel_rows(), 128);
  EXPECT_EQ(encoding_tasks(384, 961, true).panel_rows(), 96);
  // 64 samples twice: 97 rows of 1351 numbers stay there, but only 96 of 1352
  EXPECT_EQ(encoding_tasks(many_rows, 1351 - 128, true).panel_rows(), 128);
  EXPECT_EQ(encoding_tasks(many_rows, 1352 - 128, true).panel_rows(), 96);
}

}  // namespace
}  // namespace tamis::test
