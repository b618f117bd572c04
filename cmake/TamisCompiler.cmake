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
      CCACHE_PCH_EXTSUM=true ${CCACHE_PROGRAM})
endif()

# Precompiles headers of other projects. Ours are not among them: they change, and with them
# everything that uses the precompiled ones. Two compilations of the same headers differ in their
# bytes; so the compiler cache is told by a file beside them (PCH_EXTSUM) what they stand for.
function(tamis_precompile target)
  if(NOT TAMIS_PCH)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
  set(versions ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION})
  foreach(package IN ITEMS Eigen3 fmt nlohmann_json CLI11 GTest)
    list(APPEND versions ${package}=${${package}_VERSION})
  endforeach()
  file(CONFIGURE OUTPUT CMakeFiles/${target}.dir/cmake_pch.hxx.gch.sum
       CONTENT "${ARGN} ${versions}\n")
endfunction()
