#include "driver/installation.hpp"

#include <filesystem>

namespace kanor::driver {

Installation find_installation() {
  const auto prefix = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  return {(prefix / "include").string(), (prefix / "lib" / "kanor").string()};
}

}  // namespace kanor::driver
