# Protections against memory errors that cost nothing measurable: a fault in a parser is to end the
# program instead of handing it over. Each is used where the compiler and the linker know it.
#
# Only for release builds (fortification needs an optimiser) and not with sanitizers, which check the
# same and more in their own way.

include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)

set(TAMIS_HARDENED OFF)
if(TAMIS_HARDEN AND NOT TAMIS_SANITIZE AND CMAKE_BUILD_TYPE MATCHES "^(Rel|MinSizeRel)")
  set(TAMIS_HARDENED ON)
endif()
if(NOT TAMIS_HARDENED)
  return()
endif()

check_pie_supported(LANGUAGES CXX)  # executables that ask for it are linked as such, too

# _GLIBCXX_ASSERTIONS: an index beyond the end of a std::vector ends the program.
add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -D_GLIBCXX_ASSERTIONS)
foreach(_flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "TAMIS_HAS${_flag}" _known)
  check_cxx_compiler_flag(${_flag} ${_known})
  if(${_known})
    add_compile_options(${_flag})
  endif()
endforeach()

# Tables of addresses are read-only before main() begins; the stack is never executed.
foreach(_flag IN ITEMS -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  string(MAKE_C_IDENTIFIER "TAMIS_HAS${_flag}" _known)
  check_linker_flag(CXX ${_flag} ${_known})
  if(${_known})
    add_link_options(${_flag})
  endif()
endforeach()
