// Which instruction sets the kernels are compiled for. To be included before any of Highway.
#pragma once

#if defined(__AVX__)
#define HWY_COMPILE_ONLY_STATIC  // a build for one machine has that machine's set and no other
#else
#define HWY_DISABLED_TARGETS HWY_SSE4  // each set costs compile time, and few machines stop here
#endif
