#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "tamis/error.hpp"
#include "tamis/thread_group.hpp"

namespace tamis {
namespace {

// total ← Σ over ranks, in their order
template <class Number>
void add_up(const std::vector<std::span<Number>>& parts, std::vector<Number>& total) {
  total.assign(parts[0].begin(), parts[0].end());
  for (std::size_t rank = 1; rank < parts.size(); ++rank)
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += parts[rank][i];
}

template <class Number>
bool same_sizes(const std::vector<std::span<Number>>& parts) {
  return std::ranges::all_of(parts,
                             [&](const auto& part) { return part.size() == parts[0].size(); });
}

}  // namespace

// The last to arrive adds up for all. The next meeting cannot begin before everyone has come for
// this one's result, because everyone has to arrive at it.
struct ThreadGroup::Meeting {
  explicit Meeting(int size) : values(std::size_t(size)), more(std::size_t(size)) {}

  void all_reduce(std::size_t rank, std::span<double> numbers, std::span<float> others) {
    collect(arrive(rank, numbers, others), numbers, others);
  }

  // What a rank brings stays where it is until the rank collects the sums, or until the group ends.
  // Returns which meeting it is.
  std::size_t arrive(std::size_t rank, std::span<double> numbers, std::span<float> others) {
    const std::lock_guard lock(mutex);
    check();
    values[rank] = numbers;
    more[rank] = others;
    const auto mine = number;
    if (++arrived == values.size()) end_meeting();
    return mine;
  }

  void collect(std::size_t mine, std::span<double> numbers, std::span<float> others) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return number != mine || failed; });
    if (number == mine) check();  // a meeting that took place counts
    std::ranges::copy(value_sums, numbers.begin());
    std::ranges::copy(more_sums, others.begin());
  }

  void end_meeting() {
    if (!same_sizes(values) || !same_sizes(more)) {
      failed = true;
      changed.notify_all();
      throw RankError("the ranks came with different numbers to add up");
    }
    add_up(values, value_sums);
    add_up(more, more_sums);
    arrived = 0;
    ++number;
    changed.notify_all();
  }

  void check() const {
    if (failed) throw RankError("another rank failed");
  }

  void fail() {
    {
      const std::lock_guard lock(mutex);
      failed = true;
    }
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::size_t arrived = 0;
  std::size_t number = 0;  // of the meeting
  bool failed = false;
  std::vector<std::span<double>> values;  // of each rank
  std::vector<std::span<float>> more;
  std::vector<double> value_sums;
  std::vector<float> more_sums;
};

class ThreadGroup::Member final : public Communicator {
 public:
  Member(int rank, int size, Meeting& meeting, Meeting& late)
      : rank_(rank), size_(size), meeting_(meeting), late_(late) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void all_reduce(std::span<double> values, std::span<float> more) override {
    meeting_.all_reduce(std::size_t(rank_), values, more);
  }

  void start_all_reduce(Addends mine) override {
    under_way_ = std::move(mine);
    number_ = late_.arrive(std::size_t(rank_), under_way_.values, under_way_.more);
  }
  Addends finish_all_reduce() override {
    late_.collect(number_, under_way_.values, under_way_.more);
    return std::exchange(under_way_, {});
  }

 private:
  int rank_, size_;
  Meeting& meeting_;
  Meeting& late_;
  Addends under_way_;
  std::size_t number_ = 0;
};

ThreadGroup::ThreadGroup(int size)
    : meeting_(std::make_unique<Meeting>(size)), late_meeting_(std::make_unique<Meeting>(size)) {
  for (int rank = 0; rank < size; ++rank)
    members_.push_back(std::make_unique<Member>(rank, size, *meeting_, *late_meeting_));
}

ThreadGroup::~ThreadGroup() = default;

int ThreadGroup::size() const { return int(members_.size()); }

Communicator& ThreadGroup::rank(int rank) { return *members_.at(std::size_t(rank)); }

void ThreadGroup::fail() {
  meeting_->fail();
  late_meeting_->fail();
}

void ThreadGroup::run(int size, const std::function<void(Communicator&)>& work) {
  ThreadGroup group(size);
  std::mutex mutex;
  std::exception_ptr first;
  const auto run_rank = [&](int rank) {
    try {
      work(group.rank(rank));
    } catch (...) {
      {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
      }
      group.fail();
    }
  };
  {
    std::vector<std::jthread> threads;
    threads.reserve(std::size_t(size));
    for (int rank = 0; rank < size; ++rank) threads.emplace_back(run_rank, rank);
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace tamis
