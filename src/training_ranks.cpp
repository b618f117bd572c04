// The steps of training in which ranks meet: before the loop, once per mini-batch for the sums, and
// where something of all samples is wanted.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "agreement.hpp"
#include "prepare.hpp"
#include "tamis/error.hpp"
#include "training.hpp"

namespace tamis {
namespace {

// Processors that round differently let the ranks drift apart, slowly; so now and then is enough.
constexpr Index batches_between_comparisons = 64;

// The samples of a pass where there is none: partial_fit has learned, which is told what comes
// next.
constexpr Index of_no_pass = -2;

template <class Derived>
std::uint32_t digest_of(const Eigen::PlainObjectBase<Derived>& X) {
  return digest(std::as_bytes(std::span(X.data(), std::size_t(X.size()))));
}

// The number of threads changes no bits.
std::uint32_t digest_of(Settings settings, const Ranks& ranks) {
  settings.threads = 0;
  const std::string text = settings.to_json() + ranks.manner();
  return digest(std::as_bytes(std::span(text)));
}

template <class T>
std::uint32_t digest_of(const Model<T>& model) {
  const Vector<double> all{{double(digest_of(model.W)), double(digest_of(model.A)),
                            double(digest_of(model.B)), model.c, model.weight, model.sigma,
                            model.lambda, double(model.batches), double(model.epoch),
                            double(model.position)}};
  return digest_of(all);
}

bool made_of_samples(const Init& init) {
  return std::holds_alternative<SamplesInit>(init) || std::holds_alternative<NndsvdInit>(init);
}

// Everything that decides what comes next, as one list of numbers: visit(numbers) for each piece
template <class T, class Visit>
void for_each_piece(Model<T>& model, Vector<double>& since, Visit&& visit) {
  visit(since.reshaped());
  visit(model.W.reshaped());
  visit(model.A.reshaped());
  visit(model.B.reshaped());
  for (double* x : {&model.c, &model.weight, &model.sigma, &model.lambda})
    visit(Eigen::Map<Vector<double>>(x, 1));
}

}  // namespace

template <class T>
std::optional<Index> Training<T>::meet(const Source<T>& source, bool resume) const {
  if (resume && samples_per_pass_ == of_no_pass) {
    throw DataError(
        "what is resumed has learned by partial_fit, so that nobody knows which of these samples "
        "it has seen: go on with partial_fit, or begin anew");
  }
  if (ranks_.alone()) return source.samples();
  if (ranks_.share_samples() && !source.can_be_shared())
    throw SettingsError("this source cannot be shared among ranks: give each samples of its own");
  if (ranks_.own_samples() && resume && model.position > 0) {
    throw SettingsError(
        "ranks with samples of their own cannot go on within a pass, only with a new one");
  }
  return introduce(
      ranks_, {source.features(), source.samples().value_or(-1), source.format().unit,
               digest_of(resume ? model.settings : given_, ranks_), digest_of(model), sizeof(T)});
}

template <class T>
void Training<T>::start_pass(Source<T>& source, const Sink<T>* sink) {
  const Settings& s = model.settings;
  double writes = sink != nullptr && sink->wants(model.epoch) ? 1 : 0;
  if (ranks_.share_samples()) ranks_.take_from_first({&writes, 1});
  writes_ = writes > 0;
  exhausted_ = false;
  own_written_ = 0;
  stop_reading_ahead();
  source.start({model.epoch, model.position, s.shuffle, s.seed,
                ranks_.share_samples() ? ranks_.share(batch_size()) : Share{}});
}

template <class T>
void Training<T>::take_nothing(Index F) {
  number_samples({});
  prepare_nothing<T>(model.trained() ? model.features() : F, batch_);
  if (!model.trained()) initialise();
}

template <class T>
void Training<T>::take_part(ConstMatrixRef<T> V, const Vector<double>& weights,
                            std::span<const Index> counts) {
  if (ranks_.alone()) {
    take(V, weights);
    samples_per_pass_ = of_no_pass;
    return;
  }
  std::vector<Index> asked;
  if (counts.empty()) {
    introduce(ranks_, {V.rows(), V.cols(), model.unit, digest_of(model.settings, ranks_),
                       digest_of(model), sizeof(T)});
    asked = ranks_.counts(V.cols());
    counts = asked;
  }
  samples_before_us_ = std::accumulate(counts.begin(), counts.begin() + ranks_.rank(), Index(0));
  if (V.cols() > 0) {
    take(V, weights);
  } else {
    take_nothing(V.rows());
  }
  samples_per_pass_ = of_no_pass;
}

template <class T>
Matrix<T> Training<T>::first_dictionary() const {
  const Settings& s = model.settings;
  const auto make = [&](ConstMatrixRef<T> V) {
    return std::visit([&](const auto& init) { return init.template make<T>(V, s.rank, s.seed); },
                      s.init);
  };
  if (ranks_.alone() || !made_of_samples(s.init)) return make(batch_.V);
  const Matrix<T> V = ranks_.gathered<T>(batch_.V, ranks_.counts(batch_.size()));
  if (V.cols() == 0) throw DataError("the data have no samples");
  return make(V);
}

// What travels with the sums
template <class T>
void Training<T>::add_notes(Increment<T>& sums) {
  if (wishes_to_stop_) sums.ask_to_stop();
  compares_ = (model.batches + 1) % batches_between_comparisons == 0;
  if (compares_) put_digest(digest_of(model.W), sums.notes());
}

template <class T>
void Training<T>::heed_notes() {
  stops_ = stops_ || increment_.stop_asked();
  catches_up_ = increment_.stop_asked() || increment_.catch_up_asked();
  if (compares_ && !all_agree(increment_.notes(), ranks_.size())) follow_first_rank();
}

template <class T>
void Training<T>::exchange() {
  add_notes(increment_);
  ranks_.all_reduce(increment_.values(), increment_.float_values());
  heed_notes();
}

// Ours set out when those before them have arrived; meanwhile the next mini-batch is encoded.
template <class T>
Sums Training<T>::exchange_late(bool save_soon) {
  std::swap(increment_, late_);
  const Sums before = under_way_ ? arrived() : Sums::later;
  if (before == Sums::of_nothing || before == Sums::not_finite) return before;
  if (before == Sums::later) since_.resize(0);  // what an update did before ours were encoded
  add_notes(late_);
  if (save_soon) late_.ask_to_catch_up();
  ranks_.start_all_reduce(late_.hand_over());
  under_way_ = true;
  return before;
}

template <class T>
Sums Training<T>::catch_up() {
  if (!under_way_ || !catches_up_) return Sums::later;
  std::swap(increment_, late_);
  return arrived();
}

template <class T>
Sums Training<T>::arrived() {
  increment_.take_back(ranks_.finish_all_reduce());
  under_way_ = false;
  heed_notes();
  return judged();
}

// The codes of sums that are under way belong to the atoms before this update.
template <class T>
void Training<T>::note_changes(const std::vector<Index>& reseeded) {
  since_.resize(0);
  if (!under_way_) return;
  if (const auto* fast = std::get_if<FastAlgorithm<T>>(&work_)) since_ = fast->norms();
  if (since_.size() == 0 && !reseeded.empty()) since_.setOnes(model.rank());
  for (const Index atom : reseeded) since_[atom] = 0;
}

template <class T>
void Training<T>::forget_late() {
  under_way_ = catches_up_ = false;
  since_.resize(0);
}

template <class T>
void Training<T>::follow_first_rank() {
  std::vector<double> numbers;
  for_each_piece(model, since_, [&](const auto& piece) {
    for (const auto x : piece) numbers.push_back(double(x));
  });
  ranks_.take_from_first(numbers);
  auto next = numbers.begin();
  for_each_piece(model, since_, [&](auto&& piece) {
    for (auto& x : piece) x = static_cast<std::decay_t<decltype(x)>>(*next++);
  });
}

template <class T>
bool Training<T>::stops(bool wish) {
  wishes_to_stop_ = wishes_to_stop_ || wish;
  return ranks_.alone() ? wishes_to_stop_ : stops_ && !under_way_;
}

template <class T>
void Training<T>::write(Sink<T>* sink) {
  to_input_units(batch_, H_out_, R_out_);
  if (ranks_.share_samples()) return write_together(sink);
  if (batch_.size() == 0) return;
  const Index first = ranks_.alone() ? batch_.first : own_written_;
  own_written_ += batch_.size();
  sink->write({batch_.epoch, first, batch_.order, H_out_, R_out_});
}

// The mini-batches of the ranks follow each other.
template <class T>
void Training<T>::write_together(Sink<T>* sink) {
  const std::vector<Index> counts = ranks_.counts(batch_.size());
  if (std::ranges::all_of(counts, [](Index n) { return n == 0; })) return;
  const Matrix<T> H = ranks_.gathered<T>(H_out_, counts);
  const Matrix<T> R = ranks_.gathered<T>(R_out_, counts);
  std::vector<Index> order;
  if (model.settings.shuffle) {
    Matrix<double> numbers(1, batch_.size());
    std::ranges::copy(batch_.order, numbers.reshaped().begin());
    const Matrix<double> all = ranks_.gathered<double>(numbers, counts);
    for (const double number : all.reshaped()) order.push_back(Index(number));
  }
  if (sink != nullptr) sink->write({batch_.epoch, batch_.first, order, H, R});
}

#define TAMIS_INSTANTIATE(T)                                                     \
  template std::optional<Index> Training<T>::meet(const Source<T>&, bool) const; \
  template void Training<T>::start_pass(Source<T>&, const Sink<T>*);             \
  template void Training<T>::take_nothing(Index);                                \
  template void Training<T>::take_part(ConstMatrixRef<T>, const Vector<double>&, \
                                       std::span<const Index>);                  \
  template Matrix<T> Training<T>::first_dictionary() const;                      \
  template void Training<T>::exchange();                                         \
  template Sums Training<T>::exchange_late(bool);                                \
  template Sums Training<T>::catch_up();                                         \
  template void Training<T>::note_changes(const std::vector<Index>&);            \
  template void Training<T>::forget_late();                                      \
  template bool Training<T>::stops(bool);                                        \
  template void Training<T>::write(Sink<T>*);
TAMIS_INSTANTIATE(float)
TAMIS_INSTANTIATE(double)
#undef TAMIS_INSTANTIATE

}  // namespace tamis
