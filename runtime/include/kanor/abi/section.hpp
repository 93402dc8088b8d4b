// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: sections `base[first : count : stride]` as values and as places.
///
///     kanor_bind.send(kanor::abi::section(matrix, kanor::abi::part(0, n), kanor::abi::whole))
///
/// A section travels as the sequence of its elements in row-major order, so that the two sides need equal
/// element counts and nothing else in common. Neighbouring elements are copied as one run.
#pragma GCC system_header

#include "kanor/abi/codec.hpp"
#include "kanor/abi/each.hpp"

namespace kanor::abi {

/// One dimension of a section: `count` elements from index `first` on, `stride` apart, or all elements if
/// `count` is whole_count.
struct slice {
  long long first, count, stride;
};

inline constexpr long long whole_count = -__LONG_LONG_MAX__ - 1;
inline constexpr long long unknown_length = __LONG_LONG_MAX__;

/// `[:]`
inline constexpr slice whole{0, whole_count, 1};

/// Ends the job: the slice is malformed, or exceeds the length of its base. `dimension` counts from 1.
[[noreturn]] void fail_section(const slice& part, int dimension, int dimensions, long long length);

/// Converts to `long long`. An unsigned value out of range becomes the largest number, which exceeds any
/// length; the result is never whole_count.
template <class Integer>
constexpr long long index_of(Integer value) {
  if constexpr (std::is_unsigned_v<Integer> && sizeof(Integer) >= sizeof(long long)) {
    constexpr auto most = static_cast<Integer>(__LONG_LONG_MAX__);
    return static_cast<long long>(value < most ? value : most);
  } else {
    return value > -__LONG_LONG_MAX__ ? static_cast<long long>(value) : -__LONG_LONG_MAX__;
  }
}

/// `[first : count : stride]`
template <class First, class Count, class Stride = int>
constexpr slice part(First first, Count count, Stride stride = 1) {
  static_assert(integer<First> && integer<Count> && integer<Stride>,
                "the first element, the count and the stride of a section are integers");
  return {index_of(number(first)), index_of(number(count)), index_of(number(stride))};
}

/// Rows of a section: those with a fixed length, and vectors of bits.
template <class Row>
inline constexpr bool fixed_row = std::is_array_v<Row> || fixed_array<std::remove_cv_t<Row>>;
template <class Row>
inline constexpr bool bit_row = vector_like<std::remove_cv_t<Row>> && !requires(Row & row) {
  row.data();
};

template <class Row>
constexpr long long length_of_row(const Row& row) {
  if constexpr (std::is_array_v<Row>) {
    return static_cast<long long>(std::extent_v<Row>);
  } else if constexpr (std::is_pointer_v<Row>) {
    return unknown_length;
  } else {
    return static_cast<long long>(row.size());
  }
}

template <class Row>
constexpr auto* elements_of_row(Row& row) {
  if constexpr (std::is_array_v<Row>) {
    return &row[0];
  } else if constexpr (std::is_pointer_v<std::remove_cv_t<Row>>) {
    return row;
  } else {
    return row.data();
  }
}

template <class Row>
struct element_of_row {
  using type = std::remove_pointer_t<decltype(elements_of_row(std::declval<Row&>()))>;
};
template <class Row>
requires(bit_row<Row>) struct element_of_row<Row> {
  using type = std::conditional_t<std::is_const_v<Row>, const bool, bool>;
};

/// The slice with its actual count, checked against the length.
constexpr slice resolved(slice part, long long length, int dimension, int dimensions) {
  const bool known = length != unknown_length;
  if (part.count == whole_count && known) return {0, length, 1};
  const auto is_within = [&] {
    if (part.first < 0 || part.first >= length) return false;
    if (part.count == 1) return true;
    // Divided first: a product could be too large.
    return part.stride <= (length - 1) / (part.count - 1) &&
           part.first + (part.count - 1) * part.stride < length;
  };
  const bool holds = part.count >= 0 && part.stride >= 1 && (part.count == 0 || !known || is_within());
  if (!holds) fail_section(part, dimension, dimensions, length);
  return {part.count == 0 ? 0 : part.first, part.count, part.count <= 1 ? 1 : part.stride};
}

/// Equally spaced elements of a section.
template <class Element>
struct element_run {
  using element = Element;
  Element* first;
  long long count, stride;
  Element& operator[](long long at) const { return first[at * stride]; }
};
template <class Bits>
struct bit_run {
  using element = std::conditional_t<std::is_const_v<Bits>, const bool, bool>;
  Bits* bits;
  long long first, count, stride;
  auto operator[](long long at) const { return (*bits)[static_cast<std::size_t>(first + at * stride)]; }
};

/// Equal rows of a section at equal distances, each contiguous.
template <class Element>
struct element_rows {
  Element* first;
  long long count, step;  ///< of the rows; `step` is in elements
  long long length;       ///< of each row, in elements
};

/// True for visitors of a section that also take element_rows, in place of a run for each row.
template <class Use>
concept takes_rows = requires {
  typename Use::takes_rows;
};

/// The rows of one type that a section of `dimensions` dimensions goes through in its dimension `depth`,
/// counted from 0. `parts` are the slices of this dimension and the later ones.
template <class Row, int depth, int dimensions>
struct section_rows {
  using element = typename element_of_row<Row>::type;
  using later = section_rows<element, depth + 1, dimensions>;
  using innermost = typename later::innermost;
  static constexpr bool is_last = depth + 1 == dimensions;
  static_assert(is_last || !bit_row<Row>, "the elements of a vector<bool> have no sections");
  /// True if all later dimensions are arrays, whose lengths the type tells.
  static constexpr bool later_are_fixed = is_last || (fixed_row<element> && later::later_are_fixed);

  static constexpr slice own(const slice* parts, long long length) {
    return resolved(parts[0], length, depth + 1, dimensions);
  }
  static constexpr long long fixed_length() {
    if constexpr (std::is_array_v<Row>) {
      return static_cast<long long>(std::extent_v<Row>);
    } else {
      return static_cast<long long>(std::tuple_size<std::remove_cv_t<Row>>::value);
    }
  }

  /// The number of elements taken from an array, and true if the section takes all of them.
  static constexpr long long fixed_count(const slice* parts) {
    return own(parts, fixed_length()).count * later::fixed_count(parts + 1);
  }
  static constexpr bool takes_all(const slice* parts) {
    const slice part = own(parts, fixed_length());
    return part.count == fixed_length() && part.stride == 1 && later::takes_all(parts + 1);
  }

  static long long count(Row& row, const slice* parts) {
    const slice part = own(parts, length_of_row(row));
    if constexpr (bit_row<Row>) {
      return part.count;
    } else {
      return count_among(elements_of_row(row), part, parts);
    }
  }
  /// `part` is the resolved slice of this dimension.
  static long long count_among(element* first, const slice& part, const slice* parts) {
    if constexpr (later_are_fixed) {
      return part.count * later::fixed_count(parts + 1);
    } else {
      long long sum = 0;
      for (long long at = 0; at < part.count; ++at)
        sum += later::count(first[part.first + at * part.stride], parts + 1);
      return sum;
    }
  }

  /// Calls `use` with runs of elements, in row-major order.
  template <class Use>
  static void visit(Row& row, const slice* parts, Use& use) {
    const slice part = own(parts, length_of_row(row));
    if constexpr (bit_row<Row>) {
      use(bit_run<Row>{&row, part.first, part.count, part.stride});
    } else {
      visit_among(elements_of_row(row), part, parts, use);
    }
  }
  template <class Use>
  static void visit_among(element* first, const slice& part, const slice* parts, Use& use) {
    if (part.count == 0) return;
    if constexpr (is_last) {
      use(element_run<element>{first + part.first, part.count, part.stride});
    } else {
      if constexpr (later_are_fixed && sizeof(element) % sizeof(innermost) == 0) {
        constexpr auto size = static_cast<long long>(sizeof(element) / sizeof(innermost));
        if (part.stride == 1 && later::takes_all(parts + 1)) {
          auto* const begin = reinterpret_cast<innermost*>(first + part.first);
          return use(element_run<innermost>{begin, part.count * size, 1});
        }
        if constexpr (later::is_last && takes_rows<Use>) {
          const slice row = later::own(parts + 1, later::fixed_length());
          auto* const begin = reinterpret_cast<innermost*>(first + part.first) + row.first;
          if (row.stride == 1)
            return use(element_rows<innermost>{begin, part.count, part.stride * size, row.count});
        }
      }
      for (long long at = 0; at < part.count; ++at)
        later::visit(first[part.first + at * part.stride], parts + 1, use);
    }
  }
};

/// The element behind the last dimension, which ends the recursion.
template <class Element, int dimensions>
struct section_rows<Element, dimensions, dimensions> {
  using innermost = Element;
  static constexpr bool later_are_fixed = true;
  static constexpr long long fixed_count(const slice*) { return 1; }
  static constexpr bool takes_all(const slice*) { return true; }
};

/// A section of an array, a span or a pointer, whose elements do not move. Two sections of the same elements
/// have equal bytes, by which reductions tell places apart.
template <class Element, int dimensions>
struct section_of_elements {
  // A row that is a pointer stands for all that have such elements.
  using rows = section_rows<Element*, 0, dimensions>;
  using element = typename rows::innermost;
  Element* root;  ///< the first slice's first element
  slice parts[dimensions];

  std::size_t size() const { return static_cast<std::size_t>(rows::count_among(root, parts[0], parts)); }
  template <class Use>
  void visit(Use&& use) const {
    rows::visit_among(root, parts[0], parts, use);
  }
};

/// A section of a vector, whose elements an earlier update of the block may have moved.
template <class Vector, int dimensions>
struct section_of_vector {
  using rows = section_rows<Vector, 0, dimensions>;
  using element = typename rows::innermost;
  Vector* root;
  slice parts[dimensions];

  std::size_t size() const { return static_cast<std::size_t>(rows::count(*root, parts)); }
  template <class Use>
  void visit(Use&& use) const {
    rows::visit(*root, parts, use);
  }
};

/// The type as which a section's elements are sent: flat ones as a sequence in the message, others in an
/// object of this type.
template <class Element>
class section_value {
 public:
  using value_type = Element;

  /// Memory for `count` elements. The caller must construct each at `data() + made`, and then increment
  /// `made`.
  explicit section_value(std::size_t count)
      : elements_(static_cast<Element*>(
            ::operator new(count * sizeof(Element), std::align_val_t(alignof(Element))))) {}
  template <class Section>
  explicit section_value(const Section& section, std::size_t count) : section_value(count) {
    section.visit([this](const auto& run) {
      for (long long at = 0; at < run.count; ++at, ++made) construct_copy(elements_ + made, run[at]);
    });
  }
  ~section_value() {
    for (std::size_t at = made; at > 0; --at) destroy_in_place(elements_[at - 1]);
    ::operator delete(elements_, std::align_val_t(alignof(Element)));
  }
  section_value(const section_value&) = delete;
  section_value& operator=(const section_value&) = delete;

  Element* data() { return elements_; }
  std::size_t size() const { return made; }
  Element& operator[](std::size_t at) { return elements_[at]; }

  std::size_t made = 0;

 private:
  Element* elements_;
};

template <class T>
inline constexpr bool is_section = false;
template <class Element, int dimensions>
inline constexpr bool is_section<section_of_elements<Element, dimensions>> = true;
template <class Vector, int dimensions>
inline constexpr bool is_section<section_of_vector<Vector, dimensions>> = true;

template <class T>
inline constexpr bool is_section_value = false;
template <class Element>
inline constexpr bool is_section_value<section_value<Element>> = true;

template <class Element>
inline constexpr bool copies<section_value<Element>> = copies<Element>;
template <class Element>
inline constexpr bool flat_sequence<section_value<Element>> = flat<Element>;
template <class Element>
inline constexpr bool made_by_its_rank<section_value<Element>> = made_by_its_rank<Element>;

template <class Section>
requires(is_section<Section>) struct travels_as<Section> {
  using type = section_value<std::remove_cv_t<typename Section::element>>;
};

/// `base[first : count : stride]…`: checks the slices against the known lengths. Refers to the base, or for a
/// span or a pointer only to the elements.
template <class Base, class... Slices>
constexpr auto section(Base&& base, const Slices&... slices) {
  using Row = std::remove_reference_t<Base>;
  constexpr int dimensions = sizeof...(Slices);
  if constexpr (vector_like<std::remove_cv_t<Row>>) {
    section_of_vector<Row, dimensions> made{__builtin_addressof(base), {slices...}};
    made.parts[0] = resolved(made.parts[0], length_of_row(base), 1, dimensions);
    if constexpr (dimensions > 1) static_cast<void>(made.size());
    return made;
  } else {
    using Element = typename element_of_row<Row>::type;
    section_of_elements<Element, dimensions> made{elements_of_row(base), {slices...}};
    slice& first = made.parts[0];
    first = resolved(first, length_of_row(base), 1, dimensions);
    made.root += first.first;
    first.first = 0;
    if constexpr (dimensions > 1) static_cast<void>(made.size());
    return made;
  }
}

/// The address of a section's first element if the elements are contiguous, else null.
template <class Section>
auto contiguous_elements(const Section& section) {
  const std::remove_cv_t<typename Section::element>* first = nullptr;
  int runs = 0;
  section.visit([&](const auto& run) {
    ++runs;
    if constexpr (!requires { run.bits; }) {
      if (run.stride == 1) first = const_cast<decltype(first)>(run.first);
    }
  });
  return runs == 1 ? first : nullptr;
}

/// So many bytes may be copied to or from a message by way of other memory.
inline constexpr std::size_t least_detour_bytes = 8192;

/// Copies blocks of `bytes` bytes to others that do not overlap them. Strides are in bytes, from one block to
/// the next.
void copy_blocks(void* to, std::ptrdiff_t to_stride, const void* from, std::ptrdiff_t from_stride,
                 std::size_t bytes, std::size_t count);

/// Copies `count` rows of `length` flat elements. Steps are in elements, from one row to the next.
template <class Element>
void copy_rows(Element* to, long long to_step, const Element* from, long long from_step, long long length,
               long long count) {
  constexpr auto size = static_cast<long long>(sizeof(Element));
  if (count == 1) {
    __builtin_memcpy(to, from, static_cast<std::size_t>(length * size));
  } else if (length == 1 && count * size < static_cast<long long>(least_detour_bytes)) {
    for (long long at = 0; at < count; ++at)
      __builtin_memcpy(to + at * to_step, from + at * from_step, sizeof(Element));
  } else {
    copy_blocks(to, to_step * size, from, from_step * size, static_cast<std::size_t>(length * size),
                static_cast<std::size_t>(count));
  }
}

/// Copies the flat elements of a section that it visits to contiguous memory.
struct section_packer {
  using takes_rows = void;
  std::byte* to;

  template <class Element>
  void operator()(const element_rows<Element>& rows) {
    using Plain = std::remove_cv_t<Element>;
    copy_rows(reinterpret_cast<Plain*>(to), rows.length, const_cast<const Plain*>(rows.first), rows.step,
              rows.length, rows.count);
    to += static_cast<std::size_t>(rows.length * rows.count) * sizeof(Element);
  }
  template <class Element>
  void operator()(const element_run<Element>& run) {
    if (run.stride == 1)
      (*this)(element_rows<Element>{run.first, 1, 1, run.count});
    else
      (*this)(element_rows<Element>{run.first, run.count, run.stride, 1});
  }
  template <class Run>
  void operator()(const Run run) {
    using Element = std::remove_cv_t<typename Run::element>;
    std::byte* next = to;  // which, other than a member, no store can change
    for (long long at = 0; at < run.count; ++at, next += sizeof(Element)) {
      if constexpr (requires { run.bits; })
        *next = static_cast<std::byte>(static_cast<bool>(run[at]));
      else
        __builtin_memcpy(next, const_cast<const Element*>(&run[at]), sizeof(Element));
    }
    to = next;
  }
};

/// Copies a section's flat elements to contiguous memory.
template <class Section>
void copy_section(const Section& section, std::byte* to) {
  section.visit(section_packer{to});
}

}  // namespace kanor::abi
