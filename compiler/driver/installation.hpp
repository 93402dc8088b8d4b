// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

/// The paths of kanorc's own files, found from its executable, so that the build tree, an installed tree and
/// a copied one all work. `<prefix>/bin/kanorc`, `<prefix>/include/kanor/`, `<prefix>/lib/kanor/libkanor.a`.
namespace kanor::driver {

struct Installation {
  std::string include_directory;
  std::string library_directory;
  std::string library() const { return library_directory + "/libkanor.a"; }
  /// What the copies of an MPI program have of the C library.
  std::string copies() const { return library_directory + "/libkanor_copies.a"; }
  /// What the shared libraries of an MPI program have of it.
  std::string at_exit() const { return library_directory + "/libkanor_at_exit.a"; }
  /// The folder of mpi.h, for MPI programs.
  std::string mpi_include_directory() const { return include_directory + "/kanor/mpi_programs"; }
  /// The linker's options by which an MPI program's image finds the runtime in it.
  std::string mpi_exports() const { return library_directory + "/mpi_exports.rsp"; }
  /// The linker's options by which a library of an MPI program leaves MPI's functions to the program.
  std::string mpi_undefined() const { return library_directory + "/mpi_undefined.rsp"; }
  /// The linker's options by which libraries that a program opens find the runtime in it.
  std::string exports() const { return library_directory + "/exports.rsp"; }
  /// The script that gdb loads with a program; it need not exist.
  std::string debugger_script() const;
  /// The list of libraries that thread ranks may share.
  std::string library_list() const { return library_directory + "/libraries.txt"; }
  /// The list of what thread ranks may use of the C library.
  std::string c_function_list() const { return library_directory + "/c_functions.txt"; }
};

/// Throws std::system_error if the system does not say where the executable is.
Installation find_installation();

}  // namespace kanor::driver
