// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/kanorrun/program.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "world/kanorrun/complain.hpp"
#include "world/kanorrun/find.hpp"
#include "world/program_mark.hpp"

namespace kanor::run {
namespace {

enum class Kind { kanor_program, machine_program, other };

Kind kind_of(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  Kind kind = Kind::other;
  if (file >= 0 && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto bytes = static_cast<std::size_t>(status.st_size);
    void* const contents = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (contents != MAP_FAILED) {
      const std::string_view text(static_cast<const char*>(contents), bytes);
      if (text.starts_with("\x7f"
                           "ELF"))
        kind = text.find(KANOR_PROGRAM_MARK) == std::string_view::npos ? Kind::machine_program
                                                                       : Kind::kanor_program;
      ::munmap(contents, bytes);
    }
  }
  if (file >= 0) ::close(file);
  return kind;
}

[[noreturn]] void cannot_run(const char* program, int error) {
  const std::string here = std::string("./") + program;
  const bool is_here = error == ENOENT && !std::strchr(program, '/') && ::access(here.c_str(), X_OK) == 0;
  complain(std::string("cannot run '") + program + "': " + std::strerror(error) +
               (is_here ? " (the program in the working directory is '" + here + "')" : ""),
           error == ENOENT ? not_found : not_executable);
}

}  // namespace

void check_program(char** command) {
  const char* const program = command[0];
  struct stat status {};
  if (std::strchr(program, '/') && ::stat(program, &status) != 0) cannot_run(program, errno);
  if (S_ISDIR(status.st_mode))
    complain(std::string("cannot run '") + program + "': it is a directory", not_executable);
  if (kind_of(find_program(program)) != Kind::machine_program) return;
  for (char** argument = command + 1; *argument; ++argument)
    if (kind_of(find_program(*argument)) == Kind::kanor_program) return;
  std::fprintf(
      stderr,
      "kanorrun: '%s' is no Kanor program: it was not linked by kanorc, kanor.pc or Kanor::kanor, and "
      "starts no ranks\n",
      program);
}

void become(char** command) {
  ::execvp(command[0], command);
  cannot_run(command[0], errno);
}

}  // namespace kanor::run
