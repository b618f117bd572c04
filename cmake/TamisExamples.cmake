# Each examples/*.cpp is a program of its own, and has to run.

file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.cpp")
foreach(_source IN LISTS _sources)
  cmake_path(GET _source STEM _name)
  add_executable(example_${_name} "${_source}")
  set_target_properties(example_${_name} PROPERTIES
    OUTPUT_NAME ${_name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/examples")
  target_link_libraries(example_${_name} PRIVATE tamis::tamis tamis_warnings)
  if(TAMIS_BUILD_TESTS)
    add_test(NAME example.${_name} COMMAND example_${_name}
             WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/examples")
    set_tests_properties(example.${_name} PROPERTIES LABELS example TIMEOUT 600)
  endif()
endforeach()
