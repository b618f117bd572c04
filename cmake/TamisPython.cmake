# The Python package: the extension module tamis._core next to links to the files written in Python,
# so that build/PRESET/python can be put on Python's path.

set(_folder "${PROJECT_BINARY_DIR}/python/tamis")

if(NOT Python_EXECUTABLE)
  set(Python_EXECUTABLE "${TAMIS_PYTHON}")
endif()
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
find_package(pybind11 2.10 REQUIRED CONFIG)

file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/bindings/*.cpp")
# No extras: link-time optimisation of the bindings alone gains nothing.
pybind11_add_module(tamis-python MODULE NO_EXTRAS ${_sources})
set_target_properties(tamis-python PROPERTIES
  OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY "${_folder}")
target_link_libraries(tamis-python PRIVATE tamis::tamis fmt::fmt tamis_warnings)
# Only what is used of the library's dependencies is loaded (no OpenCV), and none of its names can
# meet those of another module.
target_link_options(tamis-python PRIVATE -Wl,--as-needed -Wl,--exclude-libs,ALL)

file(GLOB _files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/python/tamis"
     "${PROJECT_SOURCE_DIR}/python/tamis/*.py" "${PROJECT_SOURCE_DIR}/python/tamis/*.pyi"
     "${PROJECT_SOURCE_DIR}/python/tamis/py.typed")
file(GLOB _links "${_folder}/*.py" "${_folder}/*.pyi")
if(_links)
  file(REMOVE ${_links})  # some may lead nowhere any more
endif()
file(MAKE_DIRECTORY "${_folder}")
foreach(_file IN LISTS _files)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/python/tamis/${_file}" "${_folder}/${_file}" SYMBOLIC)
endforeach()
