// Which instruction sets the kernels are compiled for. To be included before foreach_target.h.
#pragma once

#include <hwy/detect_targets.h>

// AVX2 and AVX-512 beside the oldest are enough; each one costs compile time.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_AVX3_DL)
