// Makes OpenBLAS use kernels that fit the processor.
#pragma once

namespace tamis::blas {

// To be called once, while the program is loaded and no thread uses OpenBLAS yet. True if something
// was changed.
bool choose_kernels_for_this_processor();

// Ends the threads that OpenBLAS has started for itself while it was loaded. Under the same
// condition.
void stop_idle_threads();

}  // namespace tamis::blas
