#include "tamis/io/writer_sink.hpp"

#include <nlohmann/json.hpp>

#include "tamis/error.hpp"

namespace tamis {

using Json = nlohmann::json;

template <class T>
WriterSink<T>::WriterSink(std::unique_ptr<Writer<T>> codes, std::unique_ptr<Writer<T>> outliers,
                          Index last_epoch)
    : codes_(std::move(codes)), outliers_(std::move(outliers)), last_epoch_(last_epoch) {}

template <class T>
void WriterSink<T>::write(const EncodedBlock<T>& block) {
  if (!wants(block.epoch)) return;
  const Rows rows{block.first, block.order};
  const auto write_outliers = [&] {
    if (outliers_) outliers_->write(block.outliers, rows);
  };
  try {
    if (codes_) codes_->write(block.codes, rows);
  } catch (const Interrupted&) {
    write_outliers();  // of this mini-batch, which the state will count
    throw;
  }
  write_outliers();
}

template <class T>
std::string WriterSink<T>::state() {
  Json state = Json::object();
  if (codes_) state["codes"] = codes_->state();
  if (outliers_) state["outliers"] = outliers_->state();
  return state.dump();
}

template <class T>
void WriterSink<T>::resume(const std::string& state) {
  const Json known = Json::parse(state, nullptr, false);
  const auto go_on = [&](const char* name, Writer<T>* writer) {
    if (writer == nullptr) return;
    if (!known.is_object() || !known.contains(name) || !known[name].is_string())
      throw DataError(std::string("the stopped run did not write ") + name +
                      ", so what it saw is missing from them; use tamis encode with the model");
    writer->resume(known[name].template get<std::string>());
  };
  go_on("codes", codes_.get());
  go_on("outliers", outliers_.get());
}

template <class T>
void WriterSink<T>::finish() {
  if (codes_) codes_->finish();
  if (outliers_) outliers_->finish();
}

template class WriterSink<float>;
template class WriterSink<double>;

}  // namespace tamis
