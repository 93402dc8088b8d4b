// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the storage that belongs to a place, for checked mode.
#pragma GCC system_header

#include "kanor/abi/codec.hpp"
#include "kanor/abi/listed_section.hpp"

namespace kanor::abi {

/// Takes `count` pieces of `bytes` bytes each, `stride_bytes` apart.
struct extent_sink {
  void* context;
  void (*add)(void* context, const void* data, std::size_t bytes, std::size_t count,
              std::size_t stride_bytes);

  void operator()(const void* data, std::size_t bytes, std::size_t count = 1,
                  std::size_t stride_bytes = 0) const {
    if (bytes != 0 && count != 0) add(context, data, bytes, count, stride_bytes);
  }
};

/// Passes to `sink` the storage that an object owns besides its own bytes: the elements of containers, and
/// the storage that these own.
template <class T>
void owned_extents(const T& object, const extent_sink& sink) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    return;
  } else if constexpr (std::is_array_v<T>) {
    for (const auto& element : object) owned_extents(element, sink);
  } else if constexpr (has_shape<const T>) {
    using Shape = kanor::shape_of<const T>;
    std::size_t count = 1;
    for (int d = 0; d < Shape::rank; ++d) count *= static_cast<std::size_t>(Shape::extent(object, d));
    if constexpr (Shape::owns) sink(Shape::data(object), count * sizeof(typename Shape::element));
  } else if constexpr (requires {
                         object.has_value();
                         *object;
                       }) {
    if (object.has_value()) owned_extents(*object, sink);
  } else if constexpr (variant_like<T>) {
    if (!object.valueless_by_exception()) visit([&](const auto& held) { owned_extents(held, sink); }, object);
  } else if constexpr (adaptor<T>) {
    owned_extents(adapted(object), sink);
  } else if constexpr (requires { std::tuple_size<T>::value; } && !fixed_array<T>) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      using std::get;
      (owned_extents(get<i>(object), sink), ...);
    }
    (std::make_index_sequence<std::tuple_size<T>::value>());
  } else if constexpr (requires {
                         object.begin();
                         object.end();
                         object.size();
                         *object.begin();
                       }) {
    using Reference = decltype(*object.begin());
    if constexpr (std::is_lvalue_reference_v<Reference>) {
      if constexpr (requires { object.data(); }) {
        sink(object.data(), object.size() * sizeof(*object.begin()));
      } else {
        for (const auto& element : object) sink(__builtin_addressof(element), sizeof(element));
      }
      for (const auto& element : object) owned_extents(element, sink);
    }
  }
}

/// Passes all storage of a place to `sink`: an lvalue, or a section's elements. Bits of a vector<bool> have
/// no addresses, so they are left out.
template <class Place>
void place_extents(const void* place, const extent_sink& sink) {
  using Object = std::remove_reference_t<Place>;
  const auto& object = *static_cast<const Object*>(place);
  if constexpr (is_section<Object>) {
    object.visit([&](const auto& run) {
      if constexpr (requires { &run[0]; }) {
        using Element = std::remove_reference_t<decltype(run[0])>;
        if constexpr (requires { run.indices; })
          for (long long at = 0; at < run.count; ++at) sink(__builtin_addressof(run[at]), sizeof(Element));
        else
          sink(run.first, sizeof(Element), static_cast<std::size_t>(run.count),
               static_cast<std::size_t>(run.stride) * sizeof(Element));
        if constexpr (!std::is_trivially_copyable_v<Element>)
          for (long long at = 0; at < run.count; ++at) owned_extents(run[at], sink);
      }
    });
  } else {
    sink(place, sizeof(Object));
    owned_extents(object, sink);
  }
}

}  // namespace kanor::abi
