// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/machine.hpp"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "platform/core.hpp"

namespace kanor::rt {

int usable_cores() {
  const std::size_t count = usable_processors().size();
  return count > 0 ? static_cast<int>(count) : static_cast<int>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
}

std::size_t physical_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  return pages > 0 ? static_cast<std::size_t>(pages) * page_bytes() : std::size_t{1} << 30;
}

std::size_t huge_page_bytes() {
  std::FILE* const file = std::fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "re");
  if (!file) return 0;
  std::size_t bytes = 0;
  if (std::fscanf(file, "%zu", &bytes) != 1) bytes = 0;
  std::fclose(file);
  return bytes;
}

std::size_t page_bytes() {
  static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace kanor::rt
