# OpenCVModules::OpenCVModules: core, imgproc, imgcodecs and videoio.
#
# OpenCV's own package file comes on Debian only with the package of all of OpenCV (150 packages),
# so the four libraries are looked up directly.

find_path(OpenCVModules_INCLUDE_DIR opencv2/core.hpp PATH_SUFFIXES opencv4)
# Distributions with several architectures keep the generated headers apart.
find_path(OpenCVModules_CONFIG_DIR opencv2/opencv_modules.hpp
          HINTS ${OpenCVModules_INCLUDE_DIR} PATH_SUFFIXES opencv4)
set(_variables OpenCVModules_INCLUDE_DIR OpenCVModules_CONFIG_DIR)
set(OpenCVModules_LIBRARIES)
foreach(_module IN ITEMS videoio imgcodecs imgproc core)
  find_library(OpenCVModules_${_module} opencv_${_module})
  list(APPEND _variables OpenCVModules_${_module})
  list(APPEND OpenCVModules_LIBRARIES "${OpenCVModules_${_module}}")
endforeach()
mark_as_advanced(${_variables})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCVModules REQUIRED_VARS ${_variables})

if(OpenCVModules_FOUND AND NOT TARGET OpenCVModules::OpenCVModules)
  add_library(OpenCVModules::OpenCVModules INTERFACE IMPORTED)
  target_include_directories(OpenCVModules::OpenCVModules
    INTERFACE "${OpenCVModules_INCLUDE_DIR}" "${OpenCVModules_CONFIG_DIR}")
  target_link_libraries(OpenCVModules::OpenCVModules INTERFACE ${OpenCVModules_LIBRARIES})
endif()
