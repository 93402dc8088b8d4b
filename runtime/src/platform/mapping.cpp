// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/mapping.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "platform/machine.hpp"

namespace kanor::rt {
namespace {

/// Returns true if a file may grow so large. To ask by trying would bring SIGXFSZ.
bool may_have_file_of(std::size_t bytes) {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
         (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur);
}

/// Opens the descriptor's file, if it is the one that was offered; else returns -1: where processes have
/// different views of /proc, the path leads elsewhere.
int open_offered(const MemoryOffer& offer) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", offer.process, offer.descriptor);
  // Asked before it is opened, which would wait for some kinds of files.
  struct stat file {};
  if (::stat(path, &file) != 0 || !S_ISREG(file.st_mode) || file.st_dev != offer.device ||
      file.st_ino != offer.inode || static_cast<std::uint64_t>(file.st_size) != offer.bytes)
    return -1;
  return ::open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
}

Mapping* all_mappings = nullptr;

/// A file in memory; -1 where there is none of that size.
int make_file(std::size_t bytes) {
  if (!may_have_file_of(bytes)) return -1;
  const int file = ::memfd_create("kanor", MFD_CLOEXEC);
  if (file >= 0 && ::ftruncate(file, static_cast<off_t>(bytes)) == 0) return file;
  if (file >= 0) ::close(file);
  return -1;
}

}  // namespace

void Mapping::keep(void* memory, std::size_t bytes) {
  next_ = all_mappings;
  all_mappings = this;
  // A core file need not hold gigabytes of untouched memory.
  ::madvise(memory, bytes, MADV_DONTDUMP);
  data_ = static_cast<std::byte*>(memory);
  bytes_ = bytes;
}

void Mapping::map_at(std::uint64_t address, std::size_t bytes, int descriptor) {
  void* const wanted = reinterpret_cast<void*>(address);
  void* const memory = ::mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, descriptor, 0);
  if (memory == MAP_FAILED) return;
  // To kernels before 4.17, and to ThreadSanitizer, the address is no more than a wish.
  if (memory == wanted)
    keep(memory, bytes);
  else
    ::munmap(memory, bytes);
}

/// Keeps a descriptor with a number that the program's own files do not get.
void Mapping::note_file(int descriptor) {
  constexpr int least_number = 512;
  struct stat its {};
  if (::fstat(descriptor, &its) != 0) return;
  file_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, least_number);
  if (file_ < 0) file_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  device_ = its.st_dev;
  inode_ = its.st_ino;
}

void Mapping::make_private() const {
  if (!is_shared_) return;
  struct stat its {};
  const bool has_file =
      file_ >= 0 && ::fstat(file_, &its) == 0 && its.st_dev == device_ && its.st_ino == inode_;
  if (!has_file || ::mmap(data_, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
                          file_, 0) == MAP_FAILED)
    ::mprotect(data_, bytes_, PROT_READ);
}

void Mapping::make_all_private() {
  for (const Mapping* one = all_mappings; one; one = one->next_) one->make_private();
}

Mapping::Mapping(Sharing sharing, std::size_t bytes) {
  is_shared_ = sharing != Sharing::within_process;
  const int file = is_shared_ ? make_file(bytes) : -1;
  const int kind = is_shared_ ? MAP_SHARED : MAP_PRIVATE;
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              kind | MAP_NORESERVE | (file < 0 ? MAP_ANONYMOUS : 0), file, 0);
  if (memory != MAP_FAILED) keep(memory, bytes);
  if (file < 0) return;
  if (data_) note_file(file);
  ::close(file);
}

Mapping::Mapping(std::byte* address, std::size_t bytes, MemoryOffer& offer) {
  offer = {};
  is_shared_ = true;
  const int file = make_file(bytes);
  if (file < 0) return;
  map_at(reinterpret_cast<std::uint64_t>(address), bytes, file);
  if (!data_) {
    ::close(file);
    return;
  }
  note_file(file);
  offer = {::getpid(), file, device_, inode_, reinterpret_cast<std::uint64_t>(address), bytes};
}

Mapping::Mapping(const MemoryOffer& offer) {
  if (offer.descriptor < 0) return;
  const int file = open_offered(offer);
  if (file < 0) return;
  is_shared_ = true;
  map_at(offer.address, offer.bytes, file);
  if (data_) note_file(file);
  ::close(file);
}

Mapping::~Mapping() {
  if (!data_) return;
  ::munmap(data_, bytes_);
  if (file_ >= 0) ::close(file_);
  Mapping** link = &all_mappings;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
}

void withdraw(const MemoryOffer& offer) {
  if (offer.descriptor >= 0) ::close(offer.descriptor);
}

void drop_pages(Sharing sharing, std::byte* from, std::size_t bytes) {
  // A shared mapping is a file inside the kernel: only REMOVE frees its pages.
  ::madvise(from, bytes, sharing == Sharing::within_process ? MADV_DONTNEED : MADV_REMOVE);
}

void want_huge_pages(std::byte* from, std::size_t bytes) { ::madvise(from, bytes, MADV_HUGEPAGE); }
void refuse_huge_pages(std::byte* from, std::size_t bytes) { ::madvise(from, bytes, MADV_NOHUGEPAGE); }

void touch_pages(std::byte* from, std::size_t bytes) {
  const std::size_t before = reinterpret_cast<std::uintptr_t>(from) % page_bytes();
  ::madvise(from - before, before + bytes, MADV_POPULATE_WRITE);
}

Resident resident_memory(const std::byte* from, std::size_t bytes) {
  Resident found;
  std::FILE* const maps = std::fopen("/proc/self/smaps", "re");
  if (!maps) return found;
  const std::uint64_t first = reinterpret_cast<std::uint64_t>(from), end = first + bytes;
  bool inside = false;
  char line[512];
  while (std::fgets(line, sizeof line, maps)) {
    std::uint64_t low = 0, high = 0;
    std::size_t kilobytes = 0;
    char name[32];
    if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &low, &high) == 2) {
      inside = low < end && high > first;
    } else if (inside && std::sscanf(line, "%31[^:]: %zu kB", name, &kilobytes) == 2) {
      const std::string_view what = name;
      if (what == "Rss") found.bytes += kilobytes << 10;
      if (what == "AnonHugePages" || what == "ShmemPmdMapped") found.in_huge_pages += kilobytes << 10;
    }
  }
  std::fclose(maps);
  return found;
}

}  // namespace kanor::rt
