// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: sections of objects with a shape (kanor::shape_of), such as kanor::section(p, nz,
/// ny, nx), an Eigen matrix or an mdspan. Included by section.hpp.
#pragma GCC system_header

#include "kanor/abi/codec.hpp"
#include "kanor/abi/section.hpp"
#include "kanor/shape.hpp"

namespace kanor::abi {

template <class T>
concept has_shape = std::is_class_v<T> && requires {
  kanor::shape_of<T>::rank;
};

/// A section of elements that are equally spaced in each dimension. Two sections of the same elements have
/// equal bytes: contiguous dimensions are merged.
template <class Element, int dimensions>
struct section_of_shape {
  using element = Element;
  Element* root;                                    ///< the section's first element
  long long counts[dimensions], steps[dimensions];  ///< outermost first; unused ones in front have count 1

  std::size_t size() const {
    long long product = 1;
    for (const long long count : counts) product *= count;
    return static_cast<std::size_t>(product);
  }
  template <class Use>
  void visit(Use&& use) const {
    if (size() != 0) visit_from<0>(root, use);
  }

 private:
  template <int depth, class Use>
  void visit_from(Element* first, Use& use) const {
    if constexpr (depth + 1 == dimensions) {
      use(element_run<Element>{first, counts[depth], steps[depth]});
    } else {
      if constexpr (depth + 2 == dimensions && takes_rows<Use>) {
        if (steps[depth + 1] == 1)
          return use(element_rows<Element>{first, counts[depth], steps[depth], counts[depth + 1]});
      }
      for (long long at = 0; at < counts[depth]; ++at) visit_from<depth + 1>(first + at * steps[depth], use);
    }
  }
};

template <class Element, int dimensions>
inline constexpr bool is_section<section_of_shape<Element, dimensions>> = true;

/// `base[first : count : stride]…`, a slice for each dimension of the shape: checked against its extents.
template <class Base, class... Slices>
requires(has_shape<std::remove_reference_t<Base>>) constexpr auto section(Base&& base,
                                                                          const Slices&... slices) {
  using Shape = kanor::shape_of<std::remove_reference_t<Base>>;
  constexpr int dimensions = Shape::rank;
  static_assert(sizeof...(Slices) == dimensions, "a section has a slice for each dimension of its base");
  const slice parts[] = {slices...};
  section_of_shape<typename Shape::element, dimensions> made{Shape::data(base), {}, {}};
  // From the innermost dimension outwards; `at` is the outermost that is in use.
  int at = dimensions;
  for (int d = dimensions - 1; d >= 0; --d) {
    const slice part = resolved(parts[d], Shape::extent(base, d), d + 1, dimensions);
    const long long stride = Shape::stride(base, d), step = stride * part.stride;
    made.root += part.first * stride;
    if (part.count == 1) continue;
    if (at < dimensions && step == made.counts[at] * made.steps[at]) {
      made.counts[at] *= part.count;
    } else {
      --at;
      made.counts[at] = part.count;
      made.steps[at] = step;
    }
  }
  while (at > 0) {
    --at;
    made.counts[at] = made.steps[at] = 1;
  }
  return made;
}

}  // namespace kanor::abi
