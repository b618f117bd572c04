# Fuzzing: each tests/fuzz/*.cpp is a harness. With TAMIS_FUZZ (clang) each becomes a libFuzzer program
# fuzz_NAME; otherwise all of them are one test that is given the seeds.

find_package(CLI11 REQUIRED CONFIG)
set(_fuzz "${PROJECT_SOURCE_DIR}/tests/fuzz")
file(GLOB _harnesses CONFIGURE_DEPENDS "${_fuzz}/*.cpp")

# Of the program: what reads files that flags name
foreach(_part IN ITEMS arguments common config input interrupt print settings_flags
                     suggestions)
  list(APPEND _cli_parts "${PROJECT_SOURCE_DIR}/cli/${_part}.cpp")
endforeach()
add_library(tamis_fuzz_support OBJECT "${_fuzz}/driver/shared.cpp" ${_cli_parts})
target_include_directories(tamis_fuzz_support PUBLIC
  "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/cli")
target_link_libraries(tamis_fuzz_support PUBLIC
  tamis::tamis CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json HDF5Cxx::HDF5Cxx
  OpenCVModules::OpenCVModules tamis_warnings)
target_compile_options(tamis_fuzz_support PUBLIC -O1)
tamis_precompile(tamis_fuzz_support <Eigen/Dense> <CLI/CLI.hpp> <fmt/format.h>)

function(_fuzz_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE tamis_fuzz_support)
  if(TAMIS_PCH)
    target_precompile_headers(${name} REUSE_FROM tamis_fuzz_support)
  endif()
endfunction()

if(TAMIS_FUZZ)
  foreach(_harness IN LISTS _harnesses)
    cmake_path(GET _harness STEM _name)
    _fuzz_program(fuzz_${_name} "${_harness}" "${_fuzz}/driver/libfuzzer.cpp")
    target_link_options(fuzz_${_name} PRIVATE -fsanitize=fuzzer)
  endforeach()
else()
  _fuzz_program(fuzz_replay ${_harnesses} "${_fuzz}/driver/replay.cpp")
  set(_seeds "${PROJECT_BINARY_DIR}/fuzz-seeds")
  add_test(NAME fuzz.seeds COMMAND "${TAMIS_PYTHON}" -B "${_fuzz}/seeds.py" "${_seeds}")
  add_test(NAME fuzz.replay COMMAND fuzz_replay "${_seeds}")
  set_tests_properties(fuzz.seeds PROPERTIES LABELS fuzz TIMEOUT 120 FIXTURES_SETUP fuzz_seeds)
  set_tests_properties(fuzz.replay PROPERTIES LABELS fuzz TIMEOUT 600 FIXTURES_REQUIRED fuzz_seeds)
endif()
