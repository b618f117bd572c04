// TAMIS_CLONES compiles a function for several instruction sets and picks one when the program is
// loaded.
#pragma once

// Sanitizers instrument the resolver, which runs before their runtime is ready.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TAMIS_CLONES [[gnu::target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")]]
#else
#define TAMIS_CLONES
#endif
