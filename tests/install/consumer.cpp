// A stranger's program: learns from a small matrix with one gross error and needs the whole library
// to do so.
#include <cmath>
#include <cstdio>
#include <tamis/tamis.hpp>

int main() {
  tamis::Matrix<float> V = tamis::Matrix<float>::Random(20, 200).cwiseAbs();
  V(3, 7) = 50;
  tamis::Settings settings;
  settings.rank = 3;
  tamis::Trainer<float> trainer(settings);
  const auto result = trainer.fit(V);
  const auto encoding = trainer.model().encode(V);
  trainer.save("consumer.h5");
  const auto loaded = tamis::Model<float>::load("consumer.h5");
  std::remove("consumer.h5");
  const auto image = tamis::open_writer<float>("consumer.png", {.format = {.shape = {4, 5}}});
  image->write(V.leftCols(1), {});
  image->finish();
  const auto samples = tamis::open_reader<float>("consumer.png")->samples();
  std::remove("consumer.png");
  std::printf("tamis %s: objective %g, outlier %g\n", tamis::version, result.info.objective,
              double(encoding.R(3, 7)));
  const bool found = encoding.R(3, 7) > 40;
  const bool same = loaded.W == trainer.model().W;
  return found && same && samples == 1 && std::isfinite(result.info.objective) ? 0 : 1;
}
