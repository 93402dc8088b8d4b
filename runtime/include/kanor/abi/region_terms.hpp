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

/// `result = operation(a, b)` for values that others may read, `result` excepted, which may be `a`.
template <class Operation, class Value>
void fold_apart(Operation& operation, Value& result, const Value& a, const Value& b) {
  if constexpr (!folds_whole<Operation, Value>()) {
    const std::size_t length = length_of(result);
    for (std::size_t i = 0; i < length; ++i) fold_apart(operation, result[i], a[i], b[i]);
  } else if constexpr (sizeof(Value) <= 256) {
    Value into = a, other = b;
    fold(operation, into, other);
    result = into;
  } else {
    if (&result != &a) result = a;
    Value* const other = static_cast<Value*>(new_copy(b));
    fold(operation, result, *other);
    delete_object<Value>(other);
  }
}

/// The same for `count` values each. A compiler vectorises what it knows to be the same or apart, so it is
/// told.
template <class Operation, class Element>
void fold_elements(Operation& operation, Element* results, const Element* first, const Element* second,
                   std::size_t count) {
  if (results == first) {
    for (std::size_t i = 0; i < count; ++i) fold_apart(operation, results[i], results[i], second[i]);
  } else {
    for (std::size_t i = 0; i < count; ++i) fold_apart(operation, results[i], first[i], second[i]);
  }
}

}  // namespace kanor::abi
