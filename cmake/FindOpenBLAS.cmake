# OpenBLAS::OpenBLAS: the library and the folder of its cblas.h.
#
# FindBLAS knows the library but not the header, which distributions keep in different places;
# OpenBLAS's own package file defines no target. Hence pkg-config's word first, then a search.

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_OpenBLAS QUIET openblas)
endif()

find_path(OpenBLAS_INCLUDE_DIR cblas.h
          HINTS ${PC_OpenBLAS_INCLUDE_DIRS}
          PATH_SUFFIXES openblas openblas-pthread openblas-openmp openblas-serial)
find_library(OpenBLAS_LIBRARY NAMES openblas openblasp HINTS ${PC_OpenBLAS_LIBRARY_DIRS})
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS
  REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR
  VERSION_VAR PC_OpenBLAS_VERSION)

if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES
    IMPORTED_LOCATION "${OpenBLAS_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${OpenBLAS_INCLUDE_DIR}")
endif()
