// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/image.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "job/failure.hpp"
#include "platform/process.hpp"
#include "world/image_file.hpp"

// The link defines them if the program has an image. The reference keeps the section where unused ones are
// left out.
extern "C" {
extern const char kanor_image_begin[] __attribute__((weak));
extern const char kanor_image_end[] __attribute__((weak));
}

namespace kanor::rt {
namespace {

/// Returns true if the image is in the program's memory. Tools that change program files can remove it.
bool is_loaded() {
  const auto look = [](::dl_phdr_info* program, std::size_t, void* found) {
    const auto begin = reinterpret_cast<std::uintptr_t>(kanor_image_begin);
    const auto end = reinterpret_cast<std::uintptr_t>(kanor_image_end);
    *static_cast<bool*>(found) =
        std::any_of(program->dlpi_phdr, program->dlpi_phdr + program->dlpi_phnum, [&](const auto& segment) {
          const std::uintptr_t start = program->dlpi_addr + segment.p_vaddr;
          return segment.p_type == PT_LOAD && start <= begin && end <= start + segment.p_filesz;
        });
    return 1;  // the program comes first
  };
  bool found = false;
  ::dl_iterate_phdr(look, &found);
  return found;
}

/// Copies the image to the file. Returns false, with errno set, if it can't.
bool copy_image(int to) {
  const std::string_view image(kanor_image_begin,
                               static_cast<std::size_t>(kanor_image_end - kanor_image_begin));
  const bool may_be_shown = debugger_of(::getpid()) != 0;
  return write_library(to, image, may_be_shown ? DebugInformation::written : DebugInformation::left_out);
}

/// Null: there is none.
constinit std::atomic<const Image*> latest{nullptr};

}  // namespace

bool Image::is_there() {
  static const bool there = kanor_image_begin && is_loaded();
  return there;
}

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
  end_ = ProgramEnd::of_copy(library_);
  if (!end_) refuse_copy(rank, ::dlerror());
  earlier_ = latest.exchange(this);
}

}  // namespace kanor::rt
