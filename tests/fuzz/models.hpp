// What must hold of every model file that is accepted.
#pragma once

#include "fuzz/samples.hpp"
#include "settings/text.hpp"
#include "tamis/tamis.hpp"

namespace tamis::fuzz {

constexpr Index most_features_used = 512, most_rank_used = 32;

// A file may ask for any number of iterations; it gets them, but not here.
inline bool ends_soon(const Settings& settings) {
  const std::string text = text::write(settings.algorithm);
  std::size_t digits = 0;
  bool fraction = false;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    digits = digit ? digits + 1 : 0;
    fraction = c == '.' || (digit && fraction);
    if (digits > 3 && !fraction) return false;
    if (c == 'e') return false;
  }
  return true;
}

template <class T>
Matrix<T> some_samples(Index F, Index n) {
  Matrix<T> V(F, n);
  for (Index i = 0; i < V.size(); ++i) V.data()[i] = T(i % 7) / T(7);
  return V;
}

template <class T>
void check_model(const std::string& path) {
  const Model<T> model = Model<T>::load(path);
  const Index F = model.features();
  if (model.W.size() == 0) return;
  require(model.settings.violations(F).empty(), "the settings of a model are valid");
  require(model.rank() == model.settings.rank, "W has as many columns as the settings say");
  require(model.W.allFinite() && model.A.allFinite() && model.B.allFinite(), "all is finite");
  if (F > most_features_used || model.rank() > most_rank_used) return;
  const std::string copy = folder().path("copy.h5");
  model.save(copy);
  const Model<T> again = Model<T>::load(copy);
  require(same<T>(again.W, model.W) && again.settings == model.settings && again.c == model.c,
          "a model that is saved comes back");
  if (!model.trained()) return;
  const auto encoding = model.encode(some_samples<T>(F, 3), {.iterations = 20, .threads = 1});
  require(encoding.H.rows() == model.rank() && encoding.H.cols() == 3, "a code for every sample");
  require(encoding.R.rows() == F && encoding.R.cols() == 3, "outliers for every sample");
}

// Goes on from the state.
template <class T>
void check_training(const std::string& path) {
  Trainer<T> trainer = Trainer<T>::load(path, Index(1));
  const Settings settings = trainer.model().settings;
  const Index F = trainer.model().W.size() == 0 ? 6 : trainer.model().features();
  if (F > most_features_used || settings.rank > most_rank_used || !ends_soon(settings)) return;
  const bool whole = std::visit([](const auto& a) { return a.whole; }, settings.algorithm);
  const Matrix<T> V = some_samples<T>(F, 20);  // as many as the seeds were made of
  if (whole) {
    trainer.fit(V, {.resume = true});
  } else {
    trainer.partial_fit(V);
  }
  require(trainer.model().features() == F, "the size of a sample stays");
  require(trainer.model().W.allFinite(), "nothing that is not finite is learned");
}

inline void check_model_file(const std::string& path) {
  accepted([&] { model_type(path); });
  accepted([&] { check_model<double>(path); });
  accepted([&] { check_model<float>(path); });
  accepted([&] { check_training<double>(path); });
}

}  // namespace tamis::fuzz
