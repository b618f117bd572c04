// How much of the machine's processors a container or a batch system leaves to this process. (Which
// of them it may use, its affinity, TBB knows by itself.)
#pragma once

#include <string>

namespace tamis {

// The processors' worth of time per time that the control groups (Linux) of this process allow,
// rounded up; a very large number if they do not limit it. More threads than that would only be
// stopped for part of the time, some of them with work that the others wait for.
int processors_allowed();

// The same, from files that say what /proc/self/cgroup and /sys/fs/cgroup do
int processors_allowed(const std::string& membership, const std::string& groups);

// What all processes of a job on this machine have to share: its processors, or what is allowed.
int processors_to_share();

}  // namespace tamis
