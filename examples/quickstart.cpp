#include <iostream>
#include <tamis/tamis.hpp>

int main() {
  // Samples are columns. These are made of ten parts, and most have gross errors.
  const tamis::Planted<float> data = tamis::parts<float>();

  tamis::Settings settings;
  settings.rank = 10;
  tamis::Trainer<float> trainer(settings);
  const tamis::FitResult<float> fit = trainer.fit(data.V);  // or partial_fit, as samples arrive

  // V = WH + R: parts times codes, plus the outliers
  const tamis::Encoding<float> encoding = fit.model.encode(data.V);
  const tamis::Matrix<float> denoised = fit.model.reconstruct(encoding.H);

  std::cout << "PSNR: " << tamis::psnr<float>(data.clean, data.V) << " dB as given, "
            << tamis::psnr<float>(data.clean, denoised) << " dB denoised\n";
}
