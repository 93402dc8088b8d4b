// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/image.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <kanor/abi/program_facts.hpp>

#include "job/failure.hpp"
#include "world/elf_section.hpp"

namespace kanor::rt {
namespace {

constexpr const char* program = "/proc/self/exe";

/// The section with the image, looked for once.
const Section& image_section() {
  static const Section section = [] {
    const int file = ::open(program, O_RDONLY | O_CLOEXEC);
    if (file < 0) return Section{};
    const Section found = find_section(file, KANOR_IMAGE_SECTION);
    ::close(file);
    return found;
  }();
  return section;
}

/// Copies the image to the file. Returns false, with errno set, if it can't.
bool copy_image(int to) {
  const int from = ::open(program, O_RDONLY | O_CLOEXEC);
  if (from < 0) return false;
  off_t at = image_section().offset;
  std::size_t left = image_section().bytes;
  while (left > 0) {
    const ssize_t copied = ::sendfile(to, from, &at, left);
    if (copied <= 0) break;
    left -= static_cast<std::size_t>(copied);
  }
  const int error = errno;
  ::close(from);
  errno = error;
  return left == 0;
}

}  // namespace

bool Image::is_there() { return image_section().bytes > 0; }

void Image::refuse_copy(int rank, const std::string& why) {
  fail("cannot load a copy of the program for rank " + std::to_string(rank) + ": " + why +
       "; with KANOR_MODE=processes none is needed");
}

Image::Image(int rank) : file_(::memfd_create("program of a rank", MFD_CLOEXEC)) {
  if (file_ < 0 || !copy_image(file_)) refuse_copy(rank, std::strerror(errno));
  const std::string name = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_);
  library_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_) refuse_copy(rank, ::dlerror());
  main_ = reinterpret_cast<Main>(::dlsym(library_, "main"));
  if (!main_) refuse_copy(rank, ::dlerror());
}

Image::~Image() {
  ::dlclose(library_);
  ::close(file_);
}

}  // namespace kanor::rt
