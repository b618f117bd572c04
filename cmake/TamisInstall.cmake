# Installed copy: headers, library, program, and the files for find_package and pkg-config.

include(CMakePackageConfigHelpers)
set(_config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tamis")

install(TARGETS tamis EXPORT tamisTargets)
install(EXPORT tamisTargets NAMESPACE tamis:: DESTINATION "${_config_dir}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tamis" "${PROJECT_BINARY_DIR}/generated/tamis"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
if(TAMIS_BUILD_PROGRAM)
  install(TARGETS tamis-cli)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/experiments/" DESTINATION "${TAMIS_SCRIPTS_DIR}"
          FILES_MATCHING PATTERN "*.py" PATTERN "*.css" PATTERN "*.md.in" PATTERN "published.csv"
          PATTERN "__pycache__" EXCLUDE PATTERN "results" EXCLUDE)
  # Of the benchmark's scripts, those which these use.
  install(FILES bench/harness/__init__.py bench/harness/kept.py bench/harness/table.py
          DESTINATION "${CMAKE_INSTALL_DATADIR}/tamis/bench/harness")
  # Made by the program itself, from the texts of its flags.
  foreach(_text IN ITEMS "man:tamis.1:${CMAKE_INSTALL_MANDIR}/man1"
          "completion bash:tamis:${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
          "completion zsh:_tamis:${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
    string(REPLACE ":" ";" _text "${_text}")
    list(GET _text 0 _arguments)
    list(GET _text 1 _name)
    list(GET _text 2 _folder)
    separate_arguments(_arguments)
    set(_file "${PROJECT_BINARY_DIR}/share/${_name}")
    add_custom_command(OUTPUT "${_file}"
      COMMAND ${CMAKE_COMMAND} -E make_directory "${PROJECT_BINARY_DIR}/share"
      COMMAND tamis-cli ${_arguments} > "${_file}" VERBATIM)
    list(APPEND _texts "${_file}")
    install(FILES "${_file}" DESTINATION "${_folder}")
  endforeach()
  add_custom_target(tamis-texts ALL DEPENDS ${_texts})
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/tamisConfig.cmake.in"
  tamisConfig.cmake INSTALL_DESTINATION "${_config_dir}")
write_basic_package_version_file(tamisConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tamisConfig.cmake"
              "${PROJECT_BINARY_DIR}/tamisConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindHDF5Cxx.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindOpenBLAS.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindOpenCVModules.cmake"
        DESTINATION "${_config_dir}")

# pkg-config. The libraries are named one by one, not by `Requires`, because HDF5's file leaves out
# its C++ library and OpenBLAS's asks static users for a Fortran they do not need.
set(_libraries ${HDF5Cxx_LIBRARIES} ${OpenCVModules_LIBRARIES} "${OpenBLAS_LIBRARY}")
foreach(_target IN ITEMS TBB::tbb hwy::hwy fmt::fmt ZLIB::ZLIB)
  get_target_property(_file ${_target} LOCATION)
  list(APPEND _libraries "${_file}")
endforeach()
set(_flags)
foreach(_library IN LISTS _libraries)
  if(NOT IS_ABSOLUTE "${_library}")
    continue()
  endif()
  cmake_path(GET _library PARENT_PATH _dir)
  # Versioned names (libfmt.so.9.1.0) exist beside the plain one the linker looks for.
  cmake_path(GET _library STEM _name)
  string(REGEX REPLACE "^lib" "" _name "${_name}")
  if(NOT _dir IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    list(APPEND _flags "-L${_dir}")
  endif()
  list(APPEND _flags "-l${_name}")
endforeach()
list(APPEND _flags -pthread)
list(REMOVE_DUPLICATES _flags)
list(JOIN _flags " " _flags)

if(BUILD_SHARED_LIBS)
  set(TAMIS_PC_LIBS_PRIVATE "${_flags}")
else()
  set(TAMIS_PC_LIBS "${_flags}")  # a static library alone cannot be linked
endif()
if(TAMIS_NATIVE)
  set(TAMIS_PC_CFLAGS "-march=native")
endif()
# Found from the file's own place, so that the installed tree can be moved.
set(_pc_dir "${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig")
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${_pc_dir}"
           OUTPUT_VARIABLE TAMIS_PC_PREFIX)
configure_file("${PROJECT_SOURCE_DIR}/cmake/tamis.pc.in" tamis.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/tamis.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
