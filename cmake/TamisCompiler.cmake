# What every target is compiled with: warnings, sanitizers, compiler cache.

# Dependencies are SYSTEM includes, so these apply to our code only. -Wconversion is left out: with
# Eigen's signed indices it reports little else; -Wfloat-conversion finds the losses that matter.
add_library(tamis_warnings INTERFACE)
target_compile_options(tamis_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
  -Wcast-qual -Wformat=2 -Wfloat-conversion -Wextra-semi -Wundef
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wduplicated-branches -Wlogical-op>
  $<$<BOOL:${TAMIS_WERROR}>:-Werror>)

if(TAMIS_SANITIZE)
  # No recovery: a finding has to fail its test.
  add_compile_options(-fsanitize=${TAMIS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(TAMIS_SANITIZE MATCHES "address")
    # They double the time to compile Eigen and find nothing here: AddressSanitizer stops at null
    # pointers anyway, and Eigen asserts its alignment.
    add_compile_options(-fno-sanitize=null,alignment)
  endif()
  add_link_options(-fsanitize=${TAMIS_SANITIZE})
endif()

find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this sloppiness ccache refuses everything that uses a precompiled header; without the
  # base folder a second clone would find nothing that the first one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${CCACHE_PROGRAM})
endif()
