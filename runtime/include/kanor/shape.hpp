// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flat memory with the shape of an array, as a base of sections: kanor::section(base, extents...).
#pragma once

#include <type_traits>
#include <utility>

namespace kanor {

/// Makes a class a base of sections. It is specialised for kanor::shaped here, and for classes of
/// other libraries in kanor/adapt/. To provide sections of your own class, specialise it with
///
///     using element = double;              // const double if the elements cannot be written
///     static constexpr int rank = 2;       // the number of dimensions: pairs of brackets of a section
///     static constexpr bool owns = false;  // true: the object's elements are destroyed with it
///     static double* data(T& object);      // the element whose indices are all 0
///     static long long extent(T& object, int dimension);
///     static long long stride(T& object, int dimension);  // in elements; may be 0 or negative
///
/// `T` is const if the object is.
template <class T>
struct shape_of;

namespace abi {

/// Ends the job with an error: an extent is negative, or the extents exceed the memory. `length` is
/// the number of elements in the memory, or negative if it is unknown.
[[noreturn]] void fail_shape(const long long* extents, int dimensions, long long length);

}  // namespace abi

/// Elements in memory that another object owns, arranged in `dimensions` dimensions. The last index
/// varies fastest, unless strides say otherwise. A shape is a small value like a pointer: copying
/// it copies no elements. It is a base of sections with `dimensions` pairs of brackets. No member
/// communicates, waits or checks an index.
template <class Element, int dimensions>
class shaped {
  static_assert(dimensions >= 1, "a shape has at least one dimension");

 public:
  using element_type = Element;
  /// The number of dimensions.
  static constexpr int rank() { return dimensions; }

  /// A shape in row-major order, whose first element is `*data`.
  constexpr shaped(Element* data, const long long (&extents)[dimensions]) : data_(data) {
    long long stride = 1;
    for (int d = dimensions - 1; d >= 0; --d) {
      extents_[d] = extents[d];
      strides_[d] = stride;
      stride *= extents[d];
    }
  }
  /// A shape whose neighbours in dimension d are strides[d] elements apart.
  constexpr shaped(Element* data, const long long (&extents)[dimensions],
                   const long long (&strides)[dimensions])
      : data_(data) {
    for (int d = 0; d < dimensions; ++d) {
      extents_[d] = extents[d];
      strides_[d] = strides[d];
    }
  }

  constexpr Element* data() const { return data_; }
  /// The number of indices in a dimension. The first index is 0.
  constexpr long long extent(int dimension) const { return extents_[dimension]; }
  /// The distance between neighbours in a dimension, in elements.
  constexpr long long stride(int dimension) const { return strides_[dimension]; }
  /// The number of elements.
  constexpr long long size() const {
    long long product = 1;
    for (const long long extent : extents_) product *= extent;
    return product;
  }

  /// The element at these indices, one for each dimension.
  template <class... Index>
  requires(sizeof...(Index) == dimensions) constexpr Element& operator()(Index... index) const {
    const long long at[] = {static_cast<long long>(index)...};
    long long offset = 0;
    for (int d = 0; d < dimensions; ++d) offset += at[d] * strides_[d];
    return data_[offset];
  }

  /// The part at an index of the first dimension: a shape with one dimension less, or an element.
  constexpr decltype(auto) operator[](long long index) const {
    Element* const first = data_ + index * strides_[0];
    if constexpr (dimensions == 1) {
      return static_cast<Element&>(*first);
    } else {
      return [&]<int... d>(std::integer_sequence<int, d...>) {
        return shaped<Element, dimensions - 1>(first, {extents_[d + 1]...}, {strides_[d + 1]...});
      }
      (std::make_integer_sequence<int, dimensions - 1>());
    }
  }

 private:
  Element* data_;
  long long extents_[dimensions], strides_[dimensions];
};

/// A shape is the base of sections.
template <class Element_, int dimensions>
struct shape_of<shaped<Element_, dimensions>> {
  using element = Element_;
  /// The number of dimensions. A section has one pair of brackets for each.
  static constexpr int rank = dimensions;
  /// False: the elements outlive the shape.
  static constexpr bool owns = false;
  static constexpr Element_* data(const shaped<Element_, dimensions>& shape) { return shape.data(); }
  /// The shape's own extent and stride.
  static constexpr long long extent(const shaped<Element_, dimensions>& shape, int d) {
    return shape.extent(d);
  }
  static constexpr long long stride(const shaped<Element_, dimensions>& shape, int d) {
    return shape.stride(d);
  }
};
/// The same for a constant shape. Its elements can still be written.
template <class Element_, int dimensions>
struct shape_of<const shaped<Element_, dimensions>> : shape_of<shaped<Element_, dimensions>> {};

/// Gives flat memory the shape of an array with these extents, in row-major order:
/// `kanor::section(p, nz, ny, nx)`. The base is a pointer, an array, or an object with `data()` and
/// `size()`, such as a std::vector. The result refers to the base's elements, and is valid as long
/// as they exist and do not move. A negative extent, or extents that exceed a base of known length,
/// end the job with an error.
template <class Base, class... Extent>
requires(sizeof...(Extent) >= 1 &&
         (std::is_integral_v<Extent> && ...)) constexpr auto section(Base&& base, Extent... extents) {
  constexpr int dimensions = sizeof...(Extent);
  const long long shape[] = {static_cast<long long>(extents)...};
  using Object = std::remove_reference_t<Base>;
  long long length = __LONG_LONG_MAX__;
  const auto first = [&] {
    if constexpr (std::is_pointer_v<Object>) {
      return base;
    } else if constexpr (std::is_array_v<Object>) {
      length = static_cast<long long>(std::extent_v<Object>);
      return &base[0];
    } else {
      static_assert(std::is_lvalue_reference_v<Base> || std::is_trivially_destructible_v<Object>,
                    "kanor::section() of a temporary object would refer to elements that are gone");
      length = static_cast<long long>(base.size());
      return base.data();
    }
  }();
  long long count = 1;
  bool is_valid = true, is_empty = false;
  for (const long long extent : shape) {
    is_valid = is_valid && extent >= 0;
    is_empty = is_empty || extent == 0;
  }
  for (const long long extent : shape)
    if (!is_empty) is_valid = is_valid && !__builtin_mul_overflow(count, extent, &count);
  if (!is_valid || (!is_empty && count > length))
    abi::fail_shape(shape, dimensions, length == __LONG_LONG_MAX__ ? -1 : length);
  using Element = std::remove_pointer_t<decltype(first)>;
  static_assert(!std::is_array_v<Element>,
                "kanor::section() gives a shape to a flat array, of one dimension");
  return shaped<Element, dimensions>(first, shape);
}

}  // namespace kanor
