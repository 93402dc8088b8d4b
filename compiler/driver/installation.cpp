// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/installation.hpp"

#include <filesystem>

namespace kanor::driver {

Installation find_installation() {
  const auto prefix = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  // A system's own prefix may have its libraries in a folder of the architecture.
  auto library = prefix / "lib" / "kanor";
  if (!std::filesystem::exists(library)) library = prefix / KANOR_INSTALL_LIBDIR / "kanor";
  return {(prefix / "include").string(), library.string()};
}

std::string Installation::debugger_script() const {
  const auto prefix = std::filesystem::path(include_directory).parent_path();
  return (prefix / "share/gdb/auto-load/kanor/kanor-gdb.py").string();
}

}  // namespace kanor::driver
