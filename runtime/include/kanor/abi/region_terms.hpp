// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: values that lie in regions, which others may read meanwhile.
#pragma GCC system_header

#include "kanor/abi/reduce.hpp"

namespace kanor::abi {

/// The way of sending a value to ranks with which no region is shared.
template <class T>
inline constexpr travelling plain_travelling = travelling_of<T>();

// See runtime/src/exchange/regions.cpp.
/// Returns true if nobody else uses the term's bytes.
bool is_own(const term& value) noexcept;
/// Drops the reference that a term holds.
void let_go(const term& value) noexcept;

}  // namespace kanor::abi
