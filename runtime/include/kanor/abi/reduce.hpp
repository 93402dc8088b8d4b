// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the operations of reductions and how they apply to whole values and to elements.
#pragma GCC system_header

#include "kanor/abi/assign.hpp"

namespace kanor::abi {

struct listed_operation {
};  ///< base of the language's own operations, which apply to any list element by element

/// The value, in the type to compute in: its own, or `unsigned` for small unsigned types, since `int` could
/// overflow.
template <class T>
constexpr decltype(auto) computed(const T& value) {
  if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T> && sizeof(T) < sizeof(unsigned)) {
    return static_cast<unsigned>(value);
  } else {
    return (value);
  }
}

inline constexpr struct add_operation : listed_operation {
  template <class T>
  constexpr T operator()(T& a, T& b) const {
    if constexpr (std::is_class_v<T>) {
      return static_cast<T>(static_cast<T&&>(a) +
                            static_cast<const T&>(b));  // lets a string grow where it is
    } else {
      return static_cast<T>(computed(a) + computed(b));
    }
  }
} add;
inline constexpr struct multiply_operation : listed_operation {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(computed(a) * computed(b));
  }
} multiply;
inline constexpr struct bit_and_operation : listed_operation {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a & b);
  }
} bit_and;
inline constexpr struct bit_or_operation : listed_operation {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a | b);
  }
} bit_or;
inline constexpr struct bit_xor_operation : listed_operation {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a ^ b);
  }
} bit_xor;
inline constexpr struct logical_and_operation : listed_operation {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a && b);
  }
} logical_and;
inline constexpr struct logical_or_operation : listed_operation {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a || b);
  }
} logical_or;
/// The smaller value; of equal values the first.
inline constexpr struct min_operation : listed_operation {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
} min;
/// The larger value; of equal values the first.
inline constexpr struct max_operation : listed_operation {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
} max;

/// A callable whose call operator may be a template. Testing whether it accepts a value would compile its
/// body, with errors that nothing here can catch; so kanorc has found out: it combines lists of up to
/// `levels` levels (0: no lists), and deeper lists are combined element by element.
template <int levels, class Callable>
struct combines_lists {
  Callable callable;
  template <class Left, class Right>
  auto operator()(Left&& a, Right&& b)
      -> decltype(callable(static_cast<Left&&>(a), static_cast<Right&&>(b))) {
    return callable(static_cast<Left&&>(a), static_cast<Right&&>(b));
  }
};

/// Wraps a callable. `Callable` is a reference for an lvalue.
template <int levels, class Callable>
combines_lists<levels, Callable> combining_lists(Callable&& callable) {
  return {static_cast<Callable&&>(callable)};
}

/// The nesting depth of a list: 2 for vector<array<int, 3>>.
template <class T>
inline constexpr int list_levels = 0;
template <class T>
requires(listed<T> &&
         !text<T>) inline constexpr int list_levels<T> = 1 + list_levels<typename element_of<T>::type>;

template <class Operation, class Value>
inline constexpr bool accepts = std::is_invocable_v<Operation&, Value&&, Value&&> ||
                                std::is_invocable_v<Operation&, const Value&, const Value&>;
/// True if testing the callable compiles no body: its call operator is no template, or it is transparent like
/// the library's function objects.
template <class Callable>
inline constexpr bool says_what_it_takes = !std::is_class_v<Callable> || requires {
  &Callable::operator();
}
|| requires { typename Callable::is_transparent; };
template <int levels, class Callable, class Value>
inline constexpr bool accepts<combines_lists<levels, Callable>, Value> = [] {
  if constexpr (says_what_it_takes<std::remove_cvref_t<Callable>>)
    return accepts<std::remove_reference_t<Callable>, Value>;
  else
    return list_levels<Value> <= levels;
}();

/// Returns true if the operation takes values of this type whole.
template <class Operation, class Value>
constexpr bool folds_whole() {
  if constexpr (is_section_value<Value>) {
    return false;
  } else if constexpr (!listed<Value> || text<Value>) {
    return true;
  } else if constexpr (std::is_base_of_v<listed_operation, Operation> || std::is_array_v<Value>) {
    return false;
  } else {
    return accepts<Operation, Value>;
  }
}

template <class Operation, class Value>
void fold(Operation& operation, Value& into, Value& other) {
  if constexpr (folds_whole<Operation, Value>()) {
    if constexpr (std::is_base_of_v<listed_operation, Operation>) {
      into = operation(into, other);
    } else if constexpr (std::is_invocable_v<Operation&, Value&&, Value&&>) {
      into = static_cast<Value>(operation(static_cast<Value&&>(into), static_cast<Value&&>(other)));
    } else {
      into = static_cast<Value>(operation(static_cast<const Value&>(into), static_cast<const Value&>(other)));
    }
  } else {
    const std::size_t length = length_of(into);
    if (length != length_of(other)) fail_fold_lengths(length, length_of(other));
    for (std::size_t i = 0; i < length; ++i) {
      if constexpr (requires { into.flip(); }) {
        bool a = into[i], b = other[i];
        fold(operation, a, b);
        into[i] = a;
      } else {
        fold(operation, into[i], other[i]);
      }
    }
  }
}

/// The operation as the exchange keeps it: functions by pointer, other lvalues by address.
template <class Operation>
Operation& kept_operation(void* operation) {
  if constexpr (std::is_function_v<Operation>) {
    return *reinterpret_cast<Operation*>(operation);
  } else {
    return *static_cast<Operation*>(operation);
  }
}

template <class Operation, class Value>
void combine_terms(void* operation, term& into, term& other) {
  auto& callable = kept_operation<Operation>(operation);
  if constexpr (flat_sequence<Value> && !folds_whole<Operation, Value>()) {
    using Element = typename Value::value_type;
    // Apart: an element may have the count's type, and then change it for all a compiler knows.
    const std::size_t count = into.count;
    if (count != other.count) fail_fold_lengths(count, other.count);
    auto* first = static_cast<Element*>(into.data);
    auto* second = static_cast<Element*>(other.data);
    for (std::size_t i = 0; i < count; ++i) fold(callable, first[i], second[i]);
  } else {
    fold(callable, *static_cast<Value*>(into.data), *static_cast<Value*>(other.data));
  }
}

/// The largest size of values that are copied on the stack.
inline constexpr std::size_t most_copied_bytes = 256;

/// `result = operation(a, b)`, where others may read `a` and `b`, but not `result`. `result` may be `a`.
template <class Operation, class Value>
void fold_apart(Operation& operation, Value& result, const Value& a, const Value& b) {
  if constexpr (!folds_whole<Operation, Value>()) {
    const std::size_t length = length_of(result);
    for (std::size_t i = 0; i < length; ++i) fold_apart(operation, result[i], a[i], b[i]);
  } else if constexpr (sizeof(Value) <= most_copied_bytes) {
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

/// The same for `count` values each. Two loops tell the compiler whether the arrays are the same, so that it
/// can vectorise.
template <class Operation, class Element>
void fold_elements(Operation& operation, Element* results, const Element* first, const Element* second,
                   std::size_t count) {
  if (results == first) {
    for (std::size_t i = 0; i < count; ++i) fold_apart(operation, results[i], results[i], second[i]);
  } else {
    for (std::size_t i = 0; i < count; ++i) fold_apart(operation, results[i], first[i], second[i]);
  }
}

template <class T>
inline constexpr bool is_numbers = std::is_arithmetic_v<T>;
template <class T>
requires(listed<T>) inline constexpr bool is_numbers<T> = is_numbers<typename element_of<T>::type>;

/// True if folding elements calls no function of the program, which could write anywhere.
template <class Operation, class Element>
inline constexpr bool folds_plainly = std::is_base_of_v<listed_operation, Operation>&& is_numbers<Element>;

template <class Operation, class Element>
void combine_elements_apart(void* operation, void* into, const void* a, const void* b, std::size_t count) {
  fold_elements(kept_operation<Operation>(operation), static_cast<Element*>(into),
                static_cast<const Element*>(a), static_cast<const Element*>(b), count);
}

template <class Sequence>
void* lift_sequence(term sequence) {
  auto* first = static_cast<typename Sequence::value_type*>(sequence.data);
  void* room = ::operator new(sizeof(Sequence), std::align_val_t(alignof(Sequence)));
  return ::new (room) Sequence(first, first + sequence.count);
}

template <class Place, class Value>
void assign_lifted(void* place, term value) {
  using Object = std::remove_reference_t<Place>;
  assign_value(static_cast<Place&&>(*static_cast<Object*>(place)), *static_cast<Value*>(value.data));
}

/// The receiver's operations for `place << operation << value`.
template <class Place, class Value, class Operation>
constexpr receiving reduction_of() {
  receiving how = assignment_of<Place, Value>();
  how.combine = &combine_terms<Operation, Value>;
  if constexpr (flat_sequence<Value> && folds_whole<Operation, Value>()) {
    how.lift = &lift_sequence<Value>;
    how.drop = &delete_object<Value>;
    how.assign = &assign_lifted<Place, Value>;
    how.only_reads = false;
  } else if constexpr (flat_sequence<Value>) {
    how.combine_apart = &combine_elements_apart<Operation, typename Value::value_type>;
    how.apart_bytes = sizeof(typename Value::value_type);
    how.folds_plainly = folds_plainly<Operation, typename Value::value_type>;
  }
  how.may_fail = !std::is_arithmetic_v<Value>;
  return how;
}

template <class Place, class Value, class Operation>
inline constexpr receiving reduction = reduction_of<Place, Value, Operation>();

}  // namespace kanor::abi
