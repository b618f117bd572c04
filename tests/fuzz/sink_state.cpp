// What a checkpoint remembers of outputs that were begun: any text, with files that are there.
#include "fuzz/samples.hpp"
#include "tamis/io/writer.hpp"
#include "tamis/io/writer_sink.hpp"

namespace {

using namespace tamis;
using namespace tamis::fuzz;

constexpr Index F = 2, begun = 3;

std::unique_ptr<Writer<double>> writer_of(const std::string& path) {
  return open_writer<double>(path, {.format = {.shape = {F}, .type = ElementType::f64}});
}

// A part file of a stopped run, kept; its state
std::string begin(const std::string& path) {
  const auto writer = writer_of(path);
  writer->write(Matrix<double>::Ones(F, begun), Rows{.first = 0});
  return writer->state();
}

void go_on(const std::string& path, const std::string& state, bool sound) {
  const bool finished = accepted([&] {
    const auto writer = writer_of(path);
    writer->resume(state);
    writer->write(Matrix<double>::Zero(F, 1), Rows{.first = begun});
    writer->finish();
  });
  require(finished || !sound, "a run that was stopped goes on");
  if (finished && sound) {
    const Matrix<double> X = check_samples<double>(path);
    require(X.cols() == begun + 1 && X.col(0) == Matrix<double>::Ones(F, 1), "with what it had");
  }
}

}  // namespace

FUZZ(sink_state) {
  static const Folder own;
  const std::string state(text_of(bytes));
  for (const char* name : {"x.npy", "x.csv", "x.mtx", "x.h5"}) {
    own.clear();
    const std::string path = own.path(name);
    const std::string sound = begin(path);
    go_on(path, state, state == sound);
    own.clear();
    begin(path);
    accepted([&] {
      WriterSink<double> sink(writer_of(path), nullptr, 0);
      sink.resume(state);
    });
  }
}
