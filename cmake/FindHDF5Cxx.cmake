# HDF5Cxx::HDF5Cxx: HDF5's C and C++ libraries, as one target.
#
# CMake's FindHDF5 gives a target per language, without saying that one needs the other, and lists
# what a shared libhdf5 is itself linked with (curl, crypto, ...), which nobody else has to name.

find_package(HDF5 QUIET COMPONENTS CXX)
set(HDF5Cxx_LIBRARIES ${HDF5_CXX_LIBRARIES})
if(NOT HDF5Cxx_LIBRARIES MATCHES "hdf5[^;]*\\.a")
  list(FILTER HDF5Cxx_LIBRARIES INCLUDE REGEX "hdf5")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HDF5Cxx
  REQUIRED_VARS HDF5Cxx_LIBRARIES HDF5_CXX_INCLUDE_DIRS VERSION_VAR HDF5_VERSION)

if(HDF5Cxx_FOUND AND NOT TARGET HDF5Cxx::HDF5Cxx)
  add_library(HDF5Cxx::HDF5Cxx INTERFACE IMPORTED)
  target_include_directories(HDF5Cxx::HDF5Cxx INTERFACE ${HDF5_CXX_INCLUDE_DIRS})
  target_link_libraries(HDF5Cxx::HDF5Cxx INTERFACE ${HDF5Cxx_LIBRARIES})
endif()
