// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that pass the program's memory to the system, which fails where pages are watched. Linked with
// --wrap, for calls of the program's own objects, and those of the runtime, which open nothing.
#include <sys/socket.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdio>
#include <istream>
#include <ostream>

#include "platform/page_faults.hpp"

using std::size_t;

extern "C" {
// The C library's by other names, for static programs: what the linker knows of a wrapped function gets
// nothing from archives.
decltype(fread) _IO_fread;
decltype(fwrite) _IO_fwrite;
ssize_t __read(int file, void* to, size_t bytes);
ssize_t __write(int file, const void* from, size_t bytes);
ssize_t __pread64(int file, void* to, size_t bytes, off_t at);
ssize_t __pwrite64(int file, const void* from, size_t bytes, off_t at);
[[noreturn]] void __chk_fail();
}

/// Defines __wrap_`name`, which opens `bytes` bytes from `data` on, and calls the function; if this link has
/// none of that name, `otherwise` instead.
#define KANOR_OPENING(result, name, parameters, arguments, data, bytes, otherwise) \
  extern "C" {                                                                     \
  [[gnu::weak]] result __real_##name parameters;                                   \
  result __wrap_##name parameters;                                                 \
  }                                                                                \
  result __wrap_##name parameters {                                                \
    kanor::rt::open_for_system(data, bytes);                                       \
    if (__real_##name) return __real_##name arguments;                             \
    return otherwise;                                                              \
  }

namespace {

/// The bytes of a call, for which there must be room.
size_t checked(size_t bytes, size_t room) {
  if (bytes > room) __chk_fail();
  return bytes;
}

}  // namespace

KANOR_OPENING(size_t, fread, (void* to, size_t size, size_t count, FILE* file), (to, size, count, file), to,
              size* count, _IO_fread(to, size, count, file))
KANOR_OPENING(size_t, fwrite, (const void* from, size_t size, size_t count, FILE* file),
              (from, size, count, file), from, size* count, _IO_fwrite(from, size, count, file))
KANOR_OPENING(ssize_t, read, (int file, void* to, size_t bytes), (file, to, bytes), to, bytes,
              __read(file, to, bytes))
KANOR_OPENING(ssize_t, write, (int file, const void* from, size_t bytes), (file, from, bytes), from, bytes,
              __write(file, from, bytes))
KANOR_OPENING(ssize_t, pread, (int file, void* to, size_t bytes, off_t at), (file, to, bytes, at), to, bytes,
              __pread64(file, to, bytes, at))
KANOR_OPENING(ssize_t, pread64, (int file, void* to, size_t bytes, off_t at), (file, to, bytes, at), to,
              bytes, __pread64(file, to, bytes, at))
KANOR_OPENING(ssize_t, pwrite, (int file, const void* from, size_t bytes, off_t at), (file, from, bytes, at),
              from, bytes, __pwrite64(file, from, bytes, at))
KANOR_OPENING(ssize_t, pwrite64, (int file, const void* from, size_t bytes, off_t at),
              (file, from, bytes, at), from, bytes, __pwrite64(file, from, bytes, at))
KANOR_OPENING(ssize_t, recv, (int socket, void* to, size_t bytes, int flags), (socket, to, bytes, flags), to,
              bytes, ::recvfrom(socket, to, bytes, flags, nullptr, nullptr))
KANOR_OPENING(ssize_t, send, (int socket, const void* from, size_t bytes, int flags),
              (socket, from, bytes, flags), from, bytes, ::sendto(socket, from, bytes, flags, nullptr, 0))

// Those of _FORTIFY_SOURCE.
KANOR_OPENING(size_t, __fread_chk, (void* to, size_t room, size_t size, size_t count, FILE* file),
              (to, room, size, count, file), to, size* count,
              (checked(size * count, room), _IO_fread(to, size, count, file)))
KANOR_OPENING(ssize_t, __read_chk, (int file, void* to, size_t bytes, size_t room), (file, to, bytes, room),
              to, bytes, __read(file, to, checked(bytes, room)))
KANOR_OPENING(ssize_t, __pread_chk, (int file, void* to, size_t bytes, off_t at, size_t room),
              (file, to, bytes, at, room), to, bytes, __pread64(file, to, checked(bytes, room), at))
KANOR_OPENING(ssize_t, __pread64_chk, (int file, void* to, size_t bytes, off_t at, size_t room),
              (file, to, bytes, at, room), to, bytes, __pread64(file, to, checked(bytes, room), at))
KANOR_OPENING(ssize_t, __recv_chk, (int socket, void* to, size_t bytes, size_t room, int flags),
              (socket, to, bytes, room, flags), to, bytes,
              ::recvfrom(socket, to, checked(bytes, room), flags, nullptr, nullptr))

// std::istream::read() and std::ostream::write(). A link without them has no streams.
KANOR_OPENING(std::istream&, _ZNSi4readEPcl, (std::istream * stream, char* to, std::streamsize bytes),
              (stream, to, bytes), to, static_cast<size_t>(bytes), *stream)
KANOR_OPENING(std::ostream&, _ZNSo5writeEPKcl,
              (std::ostream * stream, const char* from, std::streamsize bytes), (stream, from, bytes), from,
              static_cast<size_t>(bytes), *stream)
