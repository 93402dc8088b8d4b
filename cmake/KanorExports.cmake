# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DNM=nm -DLIBRARY=libkanor.a -DOUTPUT=FOLDER -P KanorExports.cmake: writes the linker's options by which a
# program has, and shows to libraries that it opens by dlopen, whatever a block may call (exports.rsp), and what the
# image of an MPI program may call (mpi_exports.rsp); and those by which a library of an MPI program may
# leave MPI's functions to the program (mpi_undefined.rsp).
execute_process(COMMAND "${NM}" --defined-only --format=posix "${LIBRARY}" OUTPUT_VARIABLE table ERROR_QUIET
  COMMAND_ERROR_IS_FATAL ANY)

function(write_exports file pattern found)
  list(TRANSFORM found REPLACE "\n([^ ]+) .*" "\\1")
  list(FILTER found EXCLUDE REGEX "^_ZNK?5kanor2rt")
  list(SORT found)
  list(REMOVE_DUPLICATES found)
  if(NOT found)
    message(FATAL_ERROR "'${LIBRARY}' has no functions for ${file}")
  endif()
  list(TRANSFORM found REPLACE "(.+)" "${pattern}")
  list(JOIN found "" options)
  file(WRITE "${OUTPUT}/${file}" "${options}")
endfunction()

set(shown "-u\n\\1\n--export-dynamic-symbol=\\1\n")
# Functions of namespace kanor, apart from what is in kanor::rt, those for the end of a rank, and the symbol by which a
# link without the runtime fails.
string(REGEX MATCHALL "\n(_ZNK?5kanor[A-Za-z0-9_]+|kanor_atexit|kanor_on_exit|this_program_has_blocks_of_Kanor[a-z_]*) [TDR] " found "\n${table}")
write_exports(exports.rsp "${shown}" "${found}")
# MPI's functions, those of kanor/opi.h and kanor/delta.h, and those of the C library that are another for each rank.
string(REGEX MATCHALL "\n(kanor_P?MPI_[A-Za-z0-9_]+|kanor_(at|on)_exit|kanor_atexit|OPI_[A-Za-z_]+|Delta_[a-z_]+|__wrap_[A-Za-z0-9_]+) [TW] " found "\n${table}")
list(FILTER found EXCLUDE REGEX "__wrap_main ")
write_exports(mpi_exports.rsp "${shown}" "${found}")
write_exports(mpi_undefined.rsp "--ignore-unresolved-symbol=\\1\n" "${found}")
