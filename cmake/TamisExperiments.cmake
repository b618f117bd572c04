# The study's experiments, part of the program; plots and report are drawn by Python scripts.

file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/experiments/*.cpp")
target_sources(tamis-cli PRIVATE ${_sources})
target_include_directories(tamis-cli PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/generated")

# The study's numbers are compiled in, so that the program needs no file for them.
set(_published "${PROJECT_SOURCE_DIR}/experiments/published.csv")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_published}")
file(READ "${_published}" TAMIS_PUBLISHED_CSV)
configure_file(experiments/published_csv.hpp.in generated/experiments/published_csv.hpp @ONLY)

set(TAMIS_SCRIPTS_DIR "${CMAKE_INSTALL_DATADIR}/tamis/experiments")
# From the installed program, so that the installed tree can be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_BINDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}"
           OUTPUT_VARIABLE _bin)
cmake_path(RELATIVE_PATH TAMIS_SCRIPTS_DIR BASE_DIRECTORY "${_bin}" OUTPUT_VARIABLE _from_program)
set_source_files_properties(experiments/drawing.cpp PROPERTIES COMPILE_DEFINITIONS
  "TAMIS_PYTHON=\"${TAMIS_PYTHON}\";TAMIS_SCRIPTS=\"${PROJECT_SOURCE_DIR}/experiments\";TAMIS_SCRIPTS_FROM_PROGRAM=\"${_from_program}\"")
