// The number of threads under a container's limit, from files as Linux shows them.
#include "processors.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "support/temporary_folder.hpp"
#include "team.hpp"

namespace tamis::test {
namespace {

class Processors : public ::testing::Test {
 protected:
  void group(const std::string& file, const std::string& text) const {
    const std::filesystem::path path(folder / ("groups/" + file));
    std::filesystem::create_directories(path.parent_path());
    write_bytes(path.string(), text);
  }
  int allowed(const std::string& membership) const {
    write_bytes(folder / "membership", membership);
    return processors_allowed(folder / "membership", folder / "groups");
  }

  TemporaryFolder folder;
  static constexpr int many = std::numeric_limits<int>::max();
};

TEST_F(Processors, AreNotLimitedWhereNothingSaysSo) {
  EXPECT_EQ(processors_allowed(folder / "nothing", folder / "nowhere"), many);
  EXPECT_EQ(allowed(""), many);
  EXPECT_EQ(allowed("0::/\n"), many);
  EXPECT_EQ(allowed("nonsense\n1:2\n"), many);
  group("cpu.max", "max 100000\n");
  EXPECT_EQ(allowed("0::/\n"), many);
  group("cpu.max", "what is this\n");
  EXPECT_EQ(allowed("0::/\n"), many);
}

TEST_F(Processors, AreRoundedUp) {
  for (const auto& [text, expected] : {std::pair{"100000 100000", 1},
                                       {"150000 100000", 2},
                                       {"20000 100000", 1},
                                       {"400000 100000", 4},
                                       {"1 1000000", 1},
                                       {"0 100000", many}}) {
    group("cpu.max", text);
    EXPECT_EQ(allowed("0::/\n"), expected) << text;
  }
}

TEST_F(Processors, OfAGroupAreLimitedByItsParents) {
  group("a/cpu.max", "200000 100000\n");
  group("a/b/cpu.max", "max 100000\n");
  group("a/b/c/cpu.max", "800000 100000\n");
  EXPECT_EQ(allowed("0::/a/b/c\n"), 2);
  group("a/b/c/cpu.max", "100000 100000\n");
  EXPECT_EQ(allowed("0::/a/b/c\n"), 1);
  EXPECT_EQ(allowed("0::/a/b\n"), 2);
  EXPECT_EQ(allowed("0::/elsewhere\n"), many);
  EXPECT_EQ(allowed("0::/../..\n"), many);
}

TEST_F(Processors, OfTheFirstVersionOfControlGroups) {
  group("cpu,cpuacct/docker/cpu.cfs_quota_us", "300000\n");
  group("cpu,cpuacct/docker/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(allowed("5:memory:/docker\n4:cpu,cpuacct:/docker\n"), 3);
  EXPECT_EQ(allowed("4:cpuset:/docker\n"), many);
  group("cpu,cpuacct/docker/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(allowed("4:cpu,cpuacct:/docker\n"), many);
  group("cpu/cpu.cfs_quota_us", "100000\n");  // in a container, whose root is its group
  group("cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(allowed("4:cpu,cpuacct:/docker\n"), 1);
}

TEST_F(Processors, AreAtLeastAsManyAsThreadsThatAreStarted) {
  EXPECT_GE(processors_allowed(), 1);
  EXPECT_LE(Team::most_threads(), processors_allowed());
  EXPECT_GE(Team::most_threads(), 1);
  EXPECT_LE(Team::most_threads(), processors_to_share()) << "also if a job has no other process";
}

}  // namespace
}  // namespace tamis::test
