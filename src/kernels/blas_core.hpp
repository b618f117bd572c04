// Makes OpenBLAS use kernels that fit the processor.
#pragma once

namespace tamis::blas {

// To be called once, while the program is loaded and no thread uses OpenBLAS yet. True if something
// was changed.
bool choose_kernels_for_this_processor();

}  // namespace tamis::blas
