// What the times were measured on.
#pragma once

#include "common.hpp"

namespace tamis::experiments {

Json describe_machine();

}  // namespace tamis::experiments
