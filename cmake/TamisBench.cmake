# Each bench/*.cpp is one Google Benchmark program.

find_package(benchmark REQUIRED CONFIG)
file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cpp")
foreach(_source IN LISTS _sources)
  cmake_path(GET _source STEM _name)
  add_executable(bench_${_name} "${_source}")
  set_target_properties(bench_${_name} PROPERTIES
    OUTPUT_NAME ${_name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
  target_include_directories(bench_${_name} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  # OpenBLAS: what our kernels are compared with.
  target_link_libraries(bench_${_name} PRIVATE
    tamis::tamis OpenBLAS::OpenBLAS TBB::tbb hwy::hwy benchmark::benchmark benchmark::benchmark_main
    tamis_warnings)
endforeach()
