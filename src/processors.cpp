#include "processors.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>

namespace tamis {
namespace fs = std::filesystem;
namespace {

constexpr double unlimited = std::numeric_limits<int>::max();

double share(double quota, double period) {
  return quota > 0 && period > 0 ? quota / period : unlimited;
}

// Version 2: cpu.max has "max 100000" or "150000 100000", microseconds per period.
double limit_of(const fs::path& group) {
  double quota = 0, period = 0;
  std::ifstream file(group / "cpu.max");
  return file >> quota >> period ? share(quota, period) : unlimited;
}

// Version 1: a file for each, −1 for no limit
double limit_of_old(const fs::path& group) {
  double quota = 0, period = 0;
  std::ifstream first(group / "cpu.cfs_quota_us"), second(group / "cpu.cfs_period_us");
  return first >> quota && second >> period ? share(quota, period) : unlimited;
}

// A group is limited by its parents, too. In a container the path may be one of the host's, of
// which only the root is to be seen.
template <class LimitOf>
double least(const fs::path& root, std::string_view path, const LimitOf& limit_of) {
  double result = limit_of(root);
  fs::path group = root;
  for (const fs::path& part : fs::path(path).relative_path()) {
    if (part == "..") break;
    group /= part;
    result = std::min(result, limit_of(group));
  }
  return result;
}

}  // namespace

int processors_allowed(const std::string& membership, const std::string& groups) {
  double limit = unlimited;
  std::ifstream lines(membership);
  for (std::string line;
       std::getline(lines, line);) {  // "4:cpu,cpuacct:/path", version 2 "0::/path"
    const std::size_t first = line.find(':');
    const std::size_t second =
        first == std::string::npos ? std::string::npos : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string_view path = std::string_view(line).substr(second + 1);
    if (controllers.empty()) limit = std::min(limit, least(groups, path, limit_of));
    if (("," + controllers + ",").find(",cpu,") == std::string::npos) continue;
    for (const std::string& name : {controllers, std::string("cpu")})
      limit = std::min(limit, least(fs::path(groups) / name, path, limit_of_old));
  }
  return std::max(1, int(std::min(std::ceil(limit), unlimited)));
}

int processors_allowed() { return processors_allowed("/proc/self/cgroup", "/sys/fs/cgroup"); }

int processors_to_share() {
  return std::max(1, std::min(processors_allowed(), int(::sysconf(_SC_NPROCESSORS_ONLN))));
}

}  // namespace tamis
