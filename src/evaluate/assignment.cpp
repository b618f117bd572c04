#include "evaluate/assignment.hpp"

#include <cassert>
#include <limits>

namespace tamis {
namespace {

constexpr Index nobody = -1;

// Rows and columns found so far, and the prices that prove the assignment optimal. The column after
// the last real one stands for the row that is looking for a place.
class Assignment {
 public:
  explicit Assignment(const Matrix<double>& cost)
      : cost_(cost),
        entry_(cost.cols()),
        row_of_(std::size_t(cost.cols() + 1), nobody),
        u_(Vector<double>::Zero(cost.rows())),
        v_(Vector<double>::Zero(cost.cols() + 1)) {}

  void add_row(Index row) {
    row_of(entry_) = row;
    std::vector<Index> came_from(std::size_t(cost_.cols()), nobody);
    Vector<double> distance =
        Vector<double>::Constant(cost_.cols(), std::numeric_limits<double>::infinity());
    std::vector<bool> reached(std::size_t(cost_.cols() + 1), false);

    Index column = entry_;
    while (row_of(column) != nobody) {
      reached[std::size_t(column)] = true;
      relax(column, distance, came_from, reached);
      const Index nearest = closest(distance, reached);
      change_prices(distance[nearest], distance, reached);
      column = nearest;
    }
    while (column != entry_) {  // everyone on the path moves one place on
      const Index previous = came_from[std::size_t(column)];
      row_of(column) = row_of(previous);
      column = previous;
    }
  }

  std::vector<Index> columns() const {
    std::vector<Index> result(std::size_t(cost_.rows()), nobody);
    for (Index j = 0; j < cost_.cols(); ++j)
      if (const Index i = row_of_[std::size_t(j)]; i != nobody) result[std::size_t(i)] = j;
    return result;
  }

 private:
  Index& row_of(Index column) { return row_of_[std::size_t(column)]; }

  void relax(Index column, Vector<double>& distance, std::vector<Index>& came_from,
             const std::vector<bool>& reached) {
    const Index i = row_of(column);
    for (Index j = 0; j < cost_.cols(); ++j) {
      const double reduced = cost_(i, j) - u_[i] - v_[j];
      if (reached[std::size_t(j)] || reduced >= distance[j]) continue;
      distance[j] = reduced;
      came_from[std::size_t(j)] = column;
    }
  }

  Index closest(const Vector<double>& distance, const std::vector<bool>& reached) const {
    Index best = nobody;
    for (Index j = 0; j < cost_.cols(); ++j)
      if (!reached[std::size_t(j)] && (best == nobody || distance[j] < distance[best])) best = j;
    return best;
  }

  // Makes the edge to the nearest column free while all reduced costs stay nonnegative.
  void change_prices(double step, Vector<double>& distance, const std::vector<bool>& reached) {
    for (Index j = 0; j <= cost_.cols(); ++j) {
      if (reached[std::size_t(j)]) {
        u_[row_of(j)] += step;
        v_[j] -= step;
      } else if (j < cost_.cols()) {
        distance[j] -= step;
      }
    }
  }

  const Matrix<double>& cost_;
  Index entry_;
  std::vector<Index> row_of_;  // per column
  Vector<double> u_, v_;
};

}  // namespace

std::vector<Index> cheapest_assignment(const Matrix<double>& cost) {
  assert(cost.rows() <= cost.cols() && cost.allFinite());
  Assignment assignment(cost);
  for (Index i = 0; i < cost.rows(); ++i) assignment.add_row(i);
  return assignment.columns();
}

}  // namespace tamis
