// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: kanor::buffer in blocks; included by block.hpp.
#pragma GCC system_header

#include "kanor/abi/region_terms.hpp"
#include "kanor/buffer.hpp"

namespace kanor::abi {

template <class T>
inline constexpr bool is_buffer<kanor::buffer<T>> = true;

/// The type of the value of `std::move(b)`, where `b` is a Buffer.
template <class Buffer>
struct given_away {};

/// Access to a buffer's memory.
class given_memory {
 public:
  template <class T>
  static buffer_memory& of(kanor::buffer<T>& buffer) {
    return buffer;
  }
  template <class T>
  static const buffer_memory& of(const kanor::buffer<T>& buffer) {
    return buffer;
  }
  /// In checked mode the number of the block that took the buffer's elements, unless it has new ones; else 0.
  static std::uint64_t number(const buffer_memory& buffer) { return buffer.elements_ ? 0 : buffer.given_; }
  /// The gift to which the buffer's memory belongs, or null.
  static gift* promised(const buffer_memory& buffer) {
    return buffer.elements_ ? reinterpret_cast<gift*>(buffer.given_) : nullptr;
  }
  /// Transfers the memory to the gift, which must not move until settle(). Does nothing for an empty buffer.
  static void promise(buffer_memory& buffer, gift& to);
  /// Takes the memory out of the buffer, and stores the block's number there.
  static void settle(const gift& what, std::uint64_t number) noexcept;
  /// Replaces the buffer's memory.
  static void put(buffer_memory& buffer, void* elements, std::size_t count) noexcept;
  /// Takes the memory out of the buffer, with its reference; null if there is none. `count` is set to the
  /// number of elements.
  static void* release(buffer_memory& buffer, std::size_t& count) noexcept {
    count = buffer.count_;
    buffer.count_ = 0;
    buffer.given_ = 0;
    return std::exchange(buffer.elements_, nullptr);
  }
  /// Sets the buffer to the memory of a region, or to a copy if others use it. Takes over the caller's
  /// reference.
  static void adopt(buffer_memory& buffer, void* elements, std::size_t element_bytes);
};

/// The size of the elements in a region of bytes, and memory for elements in a new one. See
/// runtime/src/ownership/elements.cpp.
std::size_t bytes_of_elements(const void* elements) noexcept;
void* new_elements(std::size_t bytes);

template <class Buffer>
term term_of_elements(void* elements) {
  return {elements, bytes_of_elements(elements) / sizeof(typename Buffer::value_type), elements};
}

template <class Buffer>
constexpr travelling travelling_given() {
  using Element = typename Buffer::value_type;
  travelling how{layout::region, sizeof(Element), alignof(Element), nullptr, nullptr};
  how.plain = &plain_travelling<Buffer>;
  how.in_region = &term_of_elements<Buffer>;
  return how;
}

template <class Buffer>
void adopt_elements(void* place, void* elements) {
  given_memory::adopt(given_memory::of(*static_cast<Buffer*>(place)), elements,
                      sizeof(typename Buffer::value_type));
}

template <class Place, class Buffer>
constexpr receiving assignment_of_given() {
  receiving how = assignment_of<Place, Buffer>();
  how.value = travelling_given<Buffer>();
  if constexpr (std::is_same_v<Place, Buffer&>) how.adopt = &adopt_elements<Buffer>;
  return how;
}

/// Like combine_terms(), but only reads elements that others use; the result is then in new memory.
template <class Operation, class Buffer>
void combine_given(void* operation, term& into, term& other) {
  using Element = typename Buffer::value_type;
  if (into.count != other.count) fail_fold_lengths(into.count, other.count);
  auto& callable = kept_operation<Operation>(operation);
  term result = into;
  if (!is_own(into)) result.data = result.object = new_elements(into.count * sizeof(Element));
  fold_elements(callable, static_cast<Element*>(result.data), static_cast<const Element*>(into.data),
                static_cast<const Element*>(other.data), into.count);
  if (result.data != into.data) let_go(into);
  into = result;
}

template <class Place, class Buffer, class Operation>
constexpr receiving reduction_of_given() {
  receiving how = reduction_of<Place, Buffer, Operation>();
  how.value = travelling_given<Buffer>();
  if constexpr (!folds_whole<Operation, Buffer>()) {
    how.combine = &combine_given<Operation, Buffer>;
    if constexpr (std::is_same_v<Place, Buffer&>) how.adopt = &adopt_elements<Buffer>;
  }
  return how;
}

template <class Place, class Buffer>
inline constexpr receiving assignment<Place, given_away<Buffer>> = assignment_of_given<Place, Buffer>();
template <class Place, class Buffer, class Operation>
inline constexpr receiving reduction<Place, given_away<Buffer>, Operation> =
    reduction_of_given<Place, Buffer, Operation>();

}  // namespace kanor::abi
