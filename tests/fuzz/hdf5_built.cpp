// Arrays in HDF5 files that are sound as files, but have any shapes, types, chunks and attributes.
#include "fuzz/hdf5_edit.hpp"
#include "fuzz/samples.hpp"

FUZZ(hdf5_built) {
  using namespace tamis::fuzz;
  const std::string path = folder().path("x.h5");
  Choices choices(bytes);
  const bool made = edited([&] {
    const H5::H5File file(path, H5F_ACC_TRUNC);
    H5::Group group = file.openGroup("/");
    for (std::size_t n = 1 + choices.below(3); n > 0; --n) {
      if (choices.below(4) == 0) edited([&] { group = group.createGroup("g" + choices.text()); });
      edited([&] { add_dataset(group, n == 1 ? "data" : "d" + choices.text(), choices); });
    }
    if (choices.below(4) == 0) edited([&] { add_attribute(file, "format", choices); });
    if (choices.below(8) == 0) edited([&] { group.link(H5L_TYPE_HARD, "/", "round"); });
    if (choices.below(8) == 0) edited([&] { group.link(H5L_TYPE_SOFT, "soft", "soft"); });
  });
  if (!made) return;
  check_input(path);
  check_input(path + ":/data");
}
