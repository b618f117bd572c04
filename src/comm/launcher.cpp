#include <array>
#include <cstdlib>

#include "comm/mpi.hpp"

namespace tamis {

int launched_ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* value = std::getenv(name)) return std::atoi(value);
  return 0;
}

bool launched_with_others() {
  if (const int ranks = launched_ranks(); ranks > 0) return ranks > 1;
  // Launchers by way of PMIx tell the size only to those who ask it.
  return std::getenv("PMIX_RANK") != nullptr;
}

}  // namespace tamis
