#include "comm/mpi.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "processors.hpp"
#include "tamis/error.hpp"

namespace tamis {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto first_rank_reacts_within = 5s;
// MPI counts in int.
constexpr std::size_t most_numbers = std::size_t(1) << 30;
// How often sums that are under way are helped on
constexpr auto between_pushes = 100us;

std::string host_name() {
  std::string name(MPI_MAX_PROCESSOR_NAME, '\0');
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  name.resize(std::size_t(length));
  return name;
}

// MPI's own waiting keeps a core busy, which another rank may need. A short while of it is worth
// it, because most waits are short: longer than a sleep takes where no rank needs the core. Then it
// is left to others. By sleeping, which was much faster than yielding when ranks shared cores with
// other programs.
class Patience {
 public:
  explicit Patience(bool core_of_our_own) : busy_(core_of_our_own ? 1000us : 50us) {}

  void wait() {
    if (Clock::now() - start_ < busy_) return;
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(pause_ * 2, std::chrono::microseconds(200));
  }

 private:
  Clock::time_point start_ = Clock::now();
  std::chrono::microseconds busy_;
  std::chrono::microseconds pause_ = 5us;
};

}  // namespace

// MPI may be called by two threads, but only by one at a time (`mutex`).
struct MpiWorld::Impl final : Communicator {
  using Requests = std::vector<MPI_Request>;

  explicit Impl(Report reporter) : report(std::move(reporter)) {
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &failures);
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &ranks_here);
    have_own_cores = ranks_here <= processors_to_share();
    MPI_Comm_free(&here);
    host = host_name();
  }

  int rank() const override { return my_rank; }
  int size() const override { return ranks; }

  void all_reduce(std::span<double> values, std::span<float> more) override {
    begin_all_reduce(values, more, requests);
    wait(requests);
  }

  // Memory of MPI's own: it may still be written to when the one who brought it has failed.
  void start_all_reduce(Addends mine) override {
    under_way = std::move(mine);
    begin_all_reduce(under_way.values, under_way.more, late_requests);
    if (threads < MPI_THREAD_SERIALIZED) return;
    if (!helper.joinable())
      helper = std::jthread([this](const std::stop_token& stop) { help_on(stop); });
    changed.notify_one();
  }
  Addends finish_all_reduce() override {
    wait(late_requests);
    return std::exchange(under_way, {});
  }

  void begin_all_reduce(std::span<double> values, std::span<float> more, Requests& begun) {
    const std::lock_guard lock(mutex);
    begin_pieces(values, MPI_DOUBLE, begun);
    begin_pieces(more, MPI_FLOAT, begun);
  }

  template <class Number>
  static void begin_pieces(std::span<Number> values, MPI_Datatype type, Requests& begun) {
    for (std::size_t begin = 0; begin < values.size(); begin += most_numbers) {
      const std::size_t n = std::min(most_numbers, values.size() - begin);
      MPI_Iallreduce(MPI_IN_PLACE, values.data() + begin, int(n), type, MPI_SUM, MPI_COMM_WORLD,
                     &begun.emplace_back());
    }
  }

  void wait(Requests& begun) {
    for (Patience patience(have_own_cores);; patience.wait()) {
      const std::lock_guard lock(mutex);
      if (done(begun)) return;
    }
  }

  // Are all of them, and is none left then? Meanwhile rank 0 listens for failures of others.
  bool done(Requests& begun) const {
    int all = 0;
    MPI_Testall(int(begun.size()), begun.data(), &all, MPI_STATUSES_IGNORE);
    if (all != 0) begun.clear();
    if (my_rank == 0 && all == 0) listen();
    return all != 0;
  }

  // Most MPIs get on only while they are called, so somebody has to, if sums are to be exchanged
  // while the others compute.
  void help_on(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      changed.wait(lock, stop, [&] { return !late_requests.empty(); });
      if (late_requests.empty() || done(late_requests)) continue;
      changed.wait_for(lock, stop, between_pushes, [] { return false; });
    }
  }

  void listen() const {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, failures, &there, &status);
    if (there == 0) return;
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    std::string message(std::size_t(length), '\0');
    MPI_Recv(message.data(), length, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, failures,
             MPI_STATUS_IGNORE);
    end_all(status.MPI_TAG, message);
  }

  [[noreturn]] void end_all(int code, const std::string& message) const {
    report(code, message);
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }

  [[noreturn]] void fail(int code, const std::string& cause) {
    // From here on nobody else calls MPI, nor reports.
    const std::lock_guard lock(mutex);
    const std::string message = fmt::format("rank {} on {}: {}", my_rank, host, cause);
    if (my_rank == 0) end_all(code, message);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(message.data(), int(message.size()), MPI_CHAR, 0, code, failures, &request);
    for (const auto end = Clock::now() + first_rank_reacts_within; Clock::now() < end;) {
      int sent = 0;
      MPI_Test(&request, &sent, MPI_STATUS_IGNORE);
      std::this_thread::sleep_for(1ms);
    }
    end_all(code, message);
  }

  Report report;
  int my_rank = 0;
  int ranks = 1;
  int ranks_here = 1;
  bool have_own_cores = true;
  std::string host;
  MPI_Comm failures = MPI_COMM_NULL;  // their tag is the exit code
  int threads = MPI_THREAD_SINGLE;
  Requests requests;

  std::mutex mutex;
  Requests late_requests;
  Addends under_way;
  std::condition_variable_any changed;  // late_requests
  std::jthread helper;                  // last: ends before anything goes
};

MpiWorld::MpiWorld(Report report) : impl_(std::make_unique<Impl>(std::move(report))) {
  if (impl_->ranks > 1 || launched_ranks() <= 1) return;
  MPI_Finalize();
  throw SettingsError(
      "started as one of several processes by the launcher of another MPI than this program was "
      "built with: use that one's mpirun, or build again");
}
MpiWorld::~MpiWorld() = default;

Communicator& MpiWorld::comm() { return *impl_; }
int MpiWorld::ranks_here() const { return impl_->ranks_here; }

void MpiWorld::fail(int code, const std::string& message) { impl_->fail(code, message); }

void MpiWorld::finish() {
  impl_->helper = {};
  impl_->requests.assign(1, MPI_REQUEST_NULL);
  MPI_Ibarrier(MPI_COMM_WORLD, impl_->requests.data());
  impl_->wait(impl_->requests);
  MPI_Comm_free(&impl_->failures);
  MPI_Finalize();
}

}  // namespace tamis
