// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: checks of the memory that a block reads or writes, for AddressSanitizer. It sees
/// only instrumented code, and little of the compiled exchange in libkanor; so in a program that is compiled
/// with it, the templates check each value and place.
#pragma GCC system_header

#include "kanor/abi/extent.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define KANOR_ABI_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KANOR_ABI_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(KANOR_ABI_ADDRESS_SANITIZER)
extern "C" {
void* __asan_region_is_poisoned(void* begin, std::size_t bytes);
void __asan_report_load_n(void* address, long bytes);
void __asan_report_store_n(void* address, long bytes);
}
#endif

namespace kanor::abi {

/// A block's access to the storage of a value or a place.
enum class touching { reads, writes };

/// Reports storage of an lvalue or a section that the program must not use.
template <touching how, class Object>
[[gnu::always_inline]] inline void touch([[maybe_unused]] const Object& object) {
#if defined(KANOR_ABI_ADDRESS_SANITIZER)
  const auto ask = [](void*, const void* data, std::size_t bytes, std::size_t count,
                      std::size_t stride_bytes) {
    for (std::size_t at = 0; at < count; ++at) {
      auto* const begin = static_cast<std::byte*>(const_cast<void*>(data)) + at * stride_bytes;
      void* const bad = __asan_region_is_poisoned(begin, bytes);
      if (!bad) continue;
      if constexpr (how == touching::reads)
        __asan_report_load_n(bad, static_cast<long>(bytes));
      else
        __asan_report_store_n(bad, static_cast<long>(bytes));
    }
  };
  const volatile void* const place = __builtin_addressof(object);
  place_extents<const Object>(const_cast<const void*>(place), {nullptr, ask});
#endif
}

}  // namespace kanor::abi
