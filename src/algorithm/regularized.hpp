// Whether an algorithm, or a part of one, met equations in its latest mini-batch that rounding
// errors had made singular, and so solved them with a small ridge. Those that solve none do not
// say.
#pragma once

namespace tamis {

template <class Work>
bool has_regularized(const Work& work) {
  if constexpr (requires { work.regularized(); }) return work.regularized();
  return false;
}

}  // namespace tamis
