// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: sections whose last dimension lists its elements.
///
///     kanor_bind.send(kanor::abi::listed_elements(matrix, kanor_bind.value_indices(columns),
///     kanor::abi::part(0, n)))
#pragma GCC system_header

#include "kanor/abi/each.hpp"
#include "kanor/abi/section.hpp"
#include "kanor/abi/shape_section.hpp"

namespace kanor::abi {

/// An index in the block's memory, or any integer of its size in the program's.
using listed_index [[gnu::may_alias]] = long long;

/// The indices that a section lists. Equal lists of one block's places are the same memory.
struct index_list {
  const listed_index* indices;
  long long count;
};

/// Ends the job: a section with so many dimensions lists this element of its last one, whose rows have this
/// length.
[[noreturn, gnu::cold]] void fail_index(long long index, int dimensions, long long length);

/// Returns the index. Ends the job if a row has no such element.
template <int dimensions>
constexpr long long inside(long long index, long long length) {
  const bool is_outside = static_cast<unsigned long long>(index) >= static_cast<unsigned long long>(length);
  if (is_outside && length != unknown_length) [[unlikely]]
    fail_index(index, dimensions, length);
  return index;
}

/// Listed elements of one row. They are no neighbours, whatever their indices are. Each index is checked when
/// its element is asked for, so that a long list is read once.
template <class Element, int dimensions>
struct listed_run {
  using element = Element;
  static constexpr long long stride = 0;
  Element* first;
  long long count;
  const listed_index* indices;
  long long step;
  long long length;  ///< of the row
  Element& operator[](long long at) const { return first[inside<dimensions>(indices[at], length) * step]; }
};
template <class Bits, int dimensions>
struct listed_bit_run {
  using element = std::conditional_t<std::is_const_v<Bits>, const bool, bool>;
  static constexpr long long stride = 0;
  Bits* bits;
  long long count;
  const listed_index* indices;
  auto operator[](long long at) const {
    const long long length = static_cast<long long>(bits->size());
    return (*bits)[static_cast<std::size_t>(inside<dimensions>(indices[at], length))];
  }
};

// The rows of a section without outer dimensions: a section of one element, the base.
/// A vector, whose elements may move.
template <class Row>
struct one_row {
  using element = Row;
  Row* root;
  template <class Use>
  void visit(Use&& use) const {
    use(element_run<Row>{root, 1, 1});
  }
};
/// Elements that do not move, and whose number has been checked.
template <class Element>
struct one_row_of_elements {
  using element = Element*;
  Element* root;
  template <class Use>
  void visit(Use&& use) const {
    Element* row = root;
    use(element_run<Element*>{&row, 1, 1});
  }
};

/// A section of listed elements of each row. `Rows` is a section whose elements are the rows or, if
/// `is_shape`, the rows' first elements. Two sections of the same elements, listed in the same order, have
/// equal bytes if their lists are the same memory.
template <class Rows, int dimensions, bool is_shape>
struct listed_section : Rows {
  using row = typename Rows::element;
  using element = typename std::conditional_t<is_shape, std::type_identity<row>, element_of_row<row>>::type;
  index_list list;
  long long step;    ///< between neighbours of a row
  long long length;  ///< of each row; unknown_length: the rows tell

  std::size_t size() const {
    std::size_t rows = 0;
    Rows::visit([&](const auto& run) { rows += static_cast<std::size_t>(run.count); });
    return rows * static_cast<std::size_t>(list.count);
  }
  template <class Use>
  void visit(Use&& use) const {
    if (list.count == 0) return;
    Rows::visit([&](const auto& run) {
      for (long long at = 0; at < run.count; ++at) {
        if constexpr (is_shape)
          use(listed_run<element, dimensions>{&run[at], list.count, list.indices, step, length});
        else if constexpr (bit_row<row>)
          use(listed_bit_run<row, dimensions>{&run[at], list.count, list.indices});
        else
          use(listed_run<element, dimensions>{elements_of_row(run[at]), list.count, list.indices, step,
                                              length == unknown_length ? length_of_row(run[at]) : length});
      }
    });
  }
  /// Ends the job if the list has an index that a row has not.
  void check() const {
    visit([](const auto& run) {
      for (long long at = 0; at < run.count; ++at) static_cast<void>(run[at]);
    });
  }
};

template <class Rows, int dimensions, bool is_shape>
inline constexpr bool is_section<listed_section<Rows, dimensions, is_shape>> = true;
template <class T>
inline constexpr bool is_listed_section = false;
template <class Rows, int dimensions, bool is_shape>
inline constexpr bool is_listed_section<listed_section<Rows, dimensions, is_shape>> = true;

/// `base[first : count : stride]…[indices]`: `slices` are those of the outer dimensions, which are checked
/// against the known lengths.
template <class Base, class... Slices>
auto listed_elements(Base&& base, const index_list& list, const Slices&... slices) {
  using Row = std::remove_reference_t<Base>;
  constexpr int dimensions = 1 + sizeof...(Slices);
  if constexpr (has_shape<Row>) {
    using Shape = kanor::shape_of<Row>;
    static_assert(Shape::rank == dimensions, "a section has a slice for each dimension of its base");
    const long long length = Shape::extent(base, dimensions - 1);
    const auto rows = section(base, slices..., part(0, length == 0 ? 0 : 1));
    if (rows.size() == 0)  // nothing is copied, and no index looked at
      for (long long at = 0; at < list.count; ++at) inside<dimensions>(list.indices[at], length);
    return listed_section<std::remove_const_t<decltype(rows)>, dimensions, true>{
        rows, list, Shape::stride(base, dimensions - 1), length};
  } else if constexpr (dimensions > 1) {
    const auto rows = section(base, slices...);
    return listed_section<std::remove_const_t<decltype(rows)>, dimensions, false>{rows, list, 1,
                                                                                  unknown_length};
  } else if constexpr (vector_like<std::remove_cv_t<Row>>) {
    return listed_section<one_row<Row>, 1, false>{{__builtin_addressof(base)}, list, 1, unknown_length};
  } else {
    using Element = typename element_of_row<Row>::type;
    return listed_section<one_row_of_elements<Element>, 1, false>{
        {elements_of_row(base)}, list, 1, length_of_row(base)};
  }
}

/// The number of a range's elements, if it tells; else 0.
template <class Range>
long long known_length(Range& range) {
  if constexpr (std::is_array_v<Range>) {
    return static_cast<long long>(std::extent_v<Range>);
  } else if constexpr (requires { static_cast<long long>(range.size()); }) {
    return static_cast<long long>(range.size());
  } else {
    return 0;
  }
}

}  // namespace kanor::abi
