// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: values that lie in regions, which others may read meanwhile.
#pragma GCC system_header

#include "kanor/abi/reduce.hpp"

namespace kanor::abi {

/// How a value travels to ranks with which no region is shared.
template <class T>
inline constexpr travelling plain_travelling = travelling_of<T>();

// See runtime/src/exchange/regions.cpp.
/// Whether nobody else uses the term's bytes.
bool is_own(const term& value) noexcept;
/// Gives up the reference that goes with a term.
void let_go(const term& value) noexcept;

}  // namespace kanor::abi
