// Codes and outliers of a fit into files, one row per sample in the order of the input; of several
// passes, those of the last.
#pragma once

#include <memory>
#include <string>

#include "tamis/io/sink.hpp"
#include "tamis/io/writer.hpp"

namespace tamis {

template <class T>
class WriterSink final : public Sink<T> {
 public:
  // Either may be null. last_epoch: number of the pass that is wanted.
  WriterSink(std::unique_ptr<Writer<T>> codes, std::unique_ptr<Writer<T>> outliers,
             Index last_epoch);

  bool wants(Index epoch) const override { return epoch >= last_epoch_; }
  void write(const EncodedBlock<T>& block) override;
  std::string state() override;
  void resume(const std::string& state) override;
  void finish();

 private:
  std::unique_ptr<Writer<T>> codes_, outliers_;
  Index last_epoch_;
};

}  // namespace tamis
