// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the standard streams as each rank has them. Includes nothing, because it stands
/// ahead of all that the user's text includes.
#pragma GCC system_header

namespace kanor::abi {

/// For the address of std::cin, std::cout, std::cerr or std::clog that of the calling rank's own one where
/// ranks are threads; any other address as it is. Absent from programs that no runtime is linked to.
[[gnu::weak]] void* own_stream_at(void* stream) noexcept;

/// The calling rank's own stream in place of a standard one, and anything else itself: a macro may stand for
/// either.
template <class Stream>
inline Stream& own_stream(Stream& stream) noexcept {
  return own_stream_at ? *static_cast<Stream*>(own_stream_at((void*)__builtin_addressof(stream))) : stream;
}

}  // namespace kanor::abi
