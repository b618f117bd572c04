#include <cstdlib>

#include "comm/mpi.hpp"
#include "tamis/error.hpp"

namespace tamis {

struct MpiWorld::Impl {
  SelfCommunicator comm;
};

MpiWorld::MpiWorld(Report /*report*/) {  // NOLINT(performance-unnecessary-value-param)
  throw SettingsError(
      "started as one of several processes, but built without MPI: install its development files "
      "(Debian: libopenmpi-dev), configure and build again");
}
MpiWorld::~MpiWorld() = default;

Communicator& MpiWorld::comm() { return impl_->comm; }
int MpiWorld::ranks_here() const { return 1; }
void MpiWorld::fail(int code, const std::string&) { std::exit(code); }
void MpiWorld::finish() {}

}  // namespace tamis
