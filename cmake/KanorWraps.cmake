# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions of a program that libkanor.a comes before: its main, and what kanor/abi/hidden_state.hpp lists. kanorc
# links with the same options, from the same list (compiler/driver/link/link_command.cpp).
file(READ runtime/include/kanor/abi/hidden_state.hpp hidden_state)
string(REGEX MATCHALL "[ (](FUNCTION|HANDLER|SIGNAL|CALL)\\([a-z_][A-Za-z0-9_]*\\)" kanor_wrapped "${hidden_state}")
string(REGEX MATCHALL "MPI_CALL\\(MPI_[A-Za-z_]*\\)" kanor_wrapped_mpi "${hidden_state}")
list(TRANSFORM kanor_wrapped REPLACE ".*\\((.*)\\)" "\\1")
list(TRANSFORM kanor_wrapped_mpi REPLACE ".*\\((.*)\\)" "\\1")
list(PREPEND kanor_wrapped main)
list(TRANSFORM kanor_wrapped PREPEND "--wrap=")
list(JOIN kanor_wrapped "," kanor_wrapped)
set(kanor_wrap_options "-Wl,${kanor_wrapped}")
