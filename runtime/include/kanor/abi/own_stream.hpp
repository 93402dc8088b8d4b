// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the standard streams as each rank has them. Includes nothing, because it stands
/// ahead of all that the user's text includes.
#pragma GCC system_header

namespace kanor::abi {

/// Returns the address of the calling rank's own stream for that of std::cin, std::cout, std::cerr or
/// std::clog, if ranks are threads; otherwise returns the address unchanged. Absent from programs that no
/// runtime is linked to.
[[gnu::weak]] void* own_stream_at(void* stream) noexcept;

/// Returns the calling rank's own stream for a standard one, and any other stream itself, since a macro may
/// name either.
template <class Stream>
inline Stream& own_stream(Stream& stream) noexcept {
  return own_stream_at ? *static_cast<Stream*>(own_stream_at((void*)__builtin_addressof(stream))) : stream;
}

}  // namespace kanor::abi
