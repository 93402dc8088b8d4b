// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strided views as bases of sections: std::mdspan, its reference implementation, and similar
// classes.
//
//     std::mdspan grid(data, nz, ny, nx);
//     @communicate { grid[0 : 1][:][:]@i + 1 <<= grid[nz - 2 : 1][:][:]@i where i in world }
//
// The view itself does not travel; its elements do. Contiguous elements are not packed.
#pragma once

#include <type_traits>

#if __has_include(<mdspan>) && __cplusplus > 202002L
#include <mdspan>
#endif

#include "kanor/kanor.hpp"

namespace kanor {

/// A view of plain elements in memory whose neighbours are equally far apart in each dimension.
template <class View>
concept strided_view = std::is_class_v<View> && requires(const View& view) {
  requires View::rank()
  >= 1;
  requires View::is_always_strided();
  requires std::is_same_v<typename View::reference, typename View::element_type&>;
  requires std::is_same_v<typename View::data_handle_type, typename View::element_type*>;
  view.extents();
  view.extent(0);
  view.stride(0);
};

/// Such views are bases of sections.
template <class View>
requires(strided_view<std::remove_const_t<View>>) struct shape_of<View> {
  using element = typename View::element_type;
  /// The number of dimensions. A section has one pair of brackets for each.
  static constexpr int rank = static_cast<int>(View::rank());
  /// False: the elements outlive the view.
  static constexpr bool owns = false;
  /// The first element, and the extents and strides in elements.
  static constexpr element* data(const View& view) { return view.data_handle(); }
  static constexpr long long extent(const View& view, int dimension) {
    return static_cast<long long>(view.extent(static_cast<typename View::rank_type>(dimension)));
  }
  static constexpr long long stride(const View& view, int dimension) {
    return static_cast<long long>(view.stride(static_cast<typename View::rank_type>(dimension)));
  }
};

}  // namespace kanor
