#include "platform/mapping.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <string_view>

namespace kanor::rt {
namespace {

/// Whether a file may grow so large. To ask by trying would bring SIGXFSZ.
bool may_have_file_of(std::size_t bytes) {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
         (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur);
}

/// The descriptor's file, if it is the one that was offered: where processes have different views of /proc,
/// the path leads elsewhere. -1 if it is not.
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

}  // namespace

void Mapping::keep(void* memory, std::size_t bytes) {
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

Mapping::Mapping(Sharing sharing, std::size_t bytes) {
  const int kind = sharing == Sharing::within_process ? MAP_PRIVATE : MAP_SHARED;
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) keep(memory, bytes);
}

Mapping::Mapping(std::byte* address, std::size_t bytes, MemoryOffer& offer) {
  offer = {};
  if (!may_have_file_of(bytes)) return;
  const int file = ::memfd_create("kanor", MFD_CLOEXEC);
  if (file < 0) return;
  struct stat its {};
  if (::ftruncate(file, static_cast<off_t>(bytes)) == 0 && ::fstat(file, &its) == 0)
    map_at(reinterpret_cast<std::uint64_t>(address), bytes, file);
  if (data_)
    offer = {::getpid(), file, its.st_dev, its.st_ino, reinterpret_cast<std::uint64_t>(address), bytes};
  else
    ::close(file);
}

Mapping::Mapping(const MemoryOffer& offer) {
  if (offer.descriptor < 0) return;
  const int file = open_offered(offer);
  if (file < 0) return;
  map_at(offer.address, offer.bytes, file);
  ::close(file);
}

Mapping::~Mapping() {
  if (data_) ::munmap(data_, bytes_);
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
