// Generated data as an input like any other: `synthetic:samples=1e7,nu=0.9`.
#include <algorithm>

#include "io/formats.hpp"
#include "tamis/generate/generator.hpp"

namespace tamis {
namespace {

template <class T>
class GeneratorReader final : public Reader<T> {
 public:
  explicit GeneratorReader(const std::string& text)
      : generator_(make_generator<T>(parse_generator(text))) {}

  const SampleFormat& format() const override { return generator_->format(); }
  std::optional<Index> samples() const override { return generator_->samples(); }
  Access access() const override { return Access::random; }
  void seek(Index sample) override { next_ = sample; }

  Index read(MatrixRef<T> V) override {
    // Few at a time, because the truth is made with them.
    constexpr Index most_at_once = 64;
    const Index n = std::clamp<Index>(generator_->samples() - next_, 0, V.cols());
    for (Index j = 0; j < n; j += made_.V.cols()) {
      generator_->make(next_ + j, std::min(most_at_once, n - j), made_);
      V.middleCols(j, made_.V.cols()) = made_.V;
    }
    next_ += n;
    return n;
  }

 private:
  std::unique_ptr<Generator<T>> generator_;
  Generated<T> made_;
  Index next_ = 0;
};

}  // namespace

bool names_generator(const std::string& input) {
  bool found = false;
  for_each_option<GeneratorOptions>([&]<class Options>(const Options&) {
    found |= input.starts_with(std::string(Options::name) + ":");
  });
  return found;
}

template <class T>
std::unique_ptr<Reader<T>> open_generator(const std::string& input, const OpenOptions&) {
  return std::make_unique<GeneratorReader<T>>(input);
}

template std::unique_ptr<Reader<float>> open_generator(const std::string&, const OpenOptions&);
template std::unique_ptr<Reader<double>> open_generator(const std::string&, const OpenOptions&);

}  // namespace tamis
