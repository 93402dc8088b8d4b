# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the mpi.h of MPI programs out of kanor/mpi/*.h: one file without comments, because C of 1989 has no // comments,
# and with the PMPI names of all functions. Beside it are kanor/opi.h and kanor/delta.h, without comments too.
file(GLOB mpi_parts CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/runtime/include/kanor/mpi/*.h")
# The types first.
list(FILTER mpi_parts EXCLUDE REGEX "/handles\\.h$")
list(PREPEND mpi_parts "${CMAKE_CURRENT_SOURCE_DIR}/runtime/include/kanor/mpi/handles.h")
set(mpi_text "")
foreach(part IN LISTS mpi_parts)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${part}")
  file(READ "${part}" part_text)
  # A semicolon would end an element of a list, and a bracket is one's beginning.
  string(REPLACE ";" "<semicolon>" part_text "${part_text}")
  string(REPLACE "[" "<open>" part_text "${part_text}")
  string(REPLACE "]" "<close>" part_text "${part_text}")
  string(REGEX REPLACE "[ ]*//[^\n]*" "" part_text "${part_text}")
  string(REGEX REPLACE "#include <kanor/[^\n]*\n" "" part_text "${part_text}")
  string(APPEND mpi_text "${part_text}\n")
endforeach()
string(REGEX REPLACE "\n\n+" "\n" mpi_text "${mpi_text}")
string(REGEX MATCHALL "\n[A-Za-z][^#<>{}]*(<open><close>[^#<>{}]*|<open>3<close>[^#<>{}]*)*KANOR_MPI\\([A-Za-z0-9_]+\\)<semicolon>" calls
  "${mpi_text}")
set(mpi_second_names "")
set(no_text "")  # this file has its own licence line, and no other
foreach(call IN LISTS calls)
  string(REGEX MATCH "KANOR_MPI\\(([A-Za-z0-9_]+)\\)" found "${call}")
  set(name "${CMAKE_MATCH_1}")
  string(REGEX REPLACE "([ *])MPI_${name}\\(" "\\1PMPI_${name}(" call "${call}")
  string(REPLACE "KANOR_MPI(" "KANOR_PMPI(" call "${call}")
  string(APPEND mpi_second_names "${call}")
endforeach()
set(mpi_header "/* SPDX-License-${no_text}Identifier: Apache-2.0 WITH LLVM-exception */
/* Made of the headers in kanor/mpi, which describe the functions. */
#ifndef KANOR_MPI_PROGRAMS_MPI_H
#define KANOR_MPI_PROGRAMS_MPI_H
#define KANOR_MPI_H
${mpi_text}#define KANOR_PMPI(name) __asm__(\"kanor_PMPI_\" #name)
#ifdef __cplusplus
extern \"C\" {
#endif
${mpi_second_names}
#ifdef __cplusplus
}
#endif
#endif
")
string(REPLACE "<semicolon>" ";" mpi_header "${mpi_header}")
string(REPLACE "<open>" "[" mpi_header "${mpi_header}")
string(REPLACE "<close>" "]" mpi_header "${mpi_header}")
set(mpi_programs "${CMAKE_BINARY_DIR}/include/kanor/mpi_programs")
file(MAKE_DIRECTORY "${mpi_programs}")
file(WRITE "${mpi_programs}/mpi.h" "${mpi_header}")
set(licence "/* SPDX-License-${no_text}Identifier: Apache-2.0 WITH LLVM-exception */\n")
file(WRITE "${mpi_programs}/kanor/mpi.h" "${licence}#include <mpi.h>\n")
foreach(name IN ITEMS opi.h delta.h)
  set(part "${CMAKE_CURRENT_SOURCE_DIR}/runtime/include/kanor/${name}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${part}")
  file(READ "${part}" text)
  string(REGEX REPLACE "[ ]*//[^\n]*" "" text "${text}")
  file(WRITE "${mpi_programs}/kanor/${name}" "${licence}${text}")
endforeach()
install(DIRECTORY "${mpi_programs}" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kanor)
