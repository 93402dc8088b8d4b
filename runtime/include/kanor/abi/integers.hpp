// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: which types are integers. The standard traits include the compiler's 128-bit
/// integers only if language extensions are enabled.
#pragma GCC system_header

#include <type_traits>

namespace kanor::abi {

__extension__ typedef __int128 widest_signed;
__extension__ typedef unsigned __int128 widest_unsigned;

template <class T>
inline constexpr bool is_integer_type =
    std::is_integral_v<T> || std::is_same_v<T, widest_signed> || std::is_same_v<T, widest_unsigned>;
template <class T>
inline constexpr bool is_signed_type = std::is_signed_v<T> || std::is_same_v<T, widest_signed>;

}  // namespace kanor::abi
