// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: a block whose one statement exchanges whole variables in regions; included by
/// region_block.hpp.
///
///     kanor::abi::exchange({"ring.cpp", 6, "main"}, {}, {6, "A@(r + 1) % n <<= A@r …", "r", 0, "…"}, {n},
///                          kanor_shared_A, kanor_shared_A.give(), [&](auto& kanor_bind) { … });
#pragma GCC system_header

#include "kanor/abi/region_block.hpp"

namespace kanor::abi {

/// The parameters of such a block, if both variables have the same type.
struct region_exchange {
  const site& where;
  const modifiers& how;
  const statement_site& statement;
  std::initializer_list<leaf> leaves;
  region_handle& place;
  const region_handle& value;
  std::size_t value_bytes;  ///< 0 if there is no value
  bool gives;
  bool needs_addresses;
  const receiving& receives;
};

/// Executes the block like the previous one with the same leaves, without evaluating its bindings again. Does
/// nothing and returns false if there was none, or if this rank must evaluate them again.
bool repeat(const region_exchange& block) noexcept;

/// Executes a block with this only statement, whose bindings depend on nothing but the leaves and the
/// participants.
template <class Place, class Value, class Bindings>
void exchange(const site& where, const modifiers& how, const statement_site& statement,
              std::initializer_list<leaf> leaves, globalised<Place>& place, const Value& value,
              const Bindings& bindings) noexcept {
  if constexpr (std::is_same_v<travelling_type<Value>, in_region<Place>>) {
    const globalised<Place>& variable = static_cast<const globalised<Place>&>(variable_of(value));
    const Place* const object = variable.get();
    if (repeat({where, how, statement, leaves, place, variable, object ? bytes_of_value(*object) : 0,
                is_given<Value>, !flat<Place>, assignment<globalised<Place>&, in_region<Place>>}))
      return;
  }
  block once(where, how);
  once.assign(statement, leaves, bindings);
  once.note();
  once.run();
}

}  // namespace kanor::abi
