# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions of a program that libkanor.a comes before: its main, the C library's ways out of a process, and what
# kanor/abi/hidden_state.hpp lists. kanorc links with the same options (compiler/driver/link/link_command.cpp).
set(kanor_wrapped main exit _exit _Exit quick_exit at_quick_exit execl execle execlp execv execve execvp execvpe fexecve
  fflush setvbuf setbuf setbuffer setlinebuf)
file(READ runtime/include/kanor/abi/hidden_state.hpp hidden_state)
string(REGEX MATCHALL "FUNCTION\\([a-z0-9]+\\)" own_state "${hidden_state}")
list(TRANSFORM own_state REPLACE "FUNCTION\\((.*)\\)" "\\1")
list(APPEND kanor_wrapped ${own_state})
list(TRANSFORM kanor_wrapped PREPEND "--wrap=")
list(JOIN kanor_wrapped "," kanor_wrapped)
set(kanor_wrap_options "-Wl,${kanor_wrapped}")
