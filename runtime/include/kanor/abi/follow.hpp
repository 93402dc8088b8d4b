// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the parts that an object owns, and their counterparts in another object of its
/// type. A block finds its places before the first update; a place in an object that an earlier update
/// replaces is looked up again, so that the later update wins and no freed memory is written.
#pragma GCC system_header

#include <cstddef>
#include <utility>

#include "kanor/abi/codec.hpp"
#include "kanor/abi/parts.hpp"

namespace kanor::abi {

/// The result of a search for an object's counterpart.
struct counterpart {
  bool known = false;     ///< the object was found in the searched one
  void* where = nullptr;  ///< null: it no longer exists
};

template <class T>
concept mapping = std::is_class_v<T> && requires(T& map, const typename T::key_type& key) {
  typename T::mapped_type;
  map.find(key)->second;
  map.begin()->second;
  map.end();
};

template <class T>
concept optional_like = std::is_class_v<T> && requires(T& object) {
  {object.has_value()};
  *object;
  object.reset();
};

template <class T>
concept pair_like = std::is_class_v<T> && requires(T& object) {
  object.first;
  object.second;
};

/// Lists, deques and the like: elements that can be places, in an order.
template <class T>
concept sequence_like = std::is_class_v<T> && !vector_like<T> && requires(T & object) {
  typename T::value_type;
  requires std::is_same_v<decltype(*object.begin()), typename T::value_type&>;
  object.end();
};

template <class T>
concept contiguous = vector_like<T> && requires(T& object) {
  object.data();
};

/// True if the parts of such an object are known.
template <class T>
inline constexpr bool transparent =
    std::is_array_v<T> || describes_parts<T> || fixed_array<T> || contiguous<T> || mapping<T> ||
    optional_like<T> || variant_like<T> || adaptor<T> || has_parts<T> || pair_like<T> || sequence_like<T>;

/// An object's address and size. An optional and its value have the same address, so the address alone does
/// not tell them apart.
struct located {
  void* address;
  std::size_t bytes;
};

inline bool lies_in(const located& object, const void* data, std::size_t bytes) {
  const auto* at = static_cast<const std::byte*>(object.address);
  const auto* begin = static_cast<const std::byte*>(data);
  return at >= begin && at + object.bytes <= begin + bytes;
}

template <class T>
void give_pieces(T& object, const piece_sink& sink);

/// Passes an object's own bytes to `sink`, then the pieces that it owns.
template <class T>
void give_piece(T& object, const piece_sink& sink) {
  sink.take(sink.context, __builtin_addressof(object), sizeof(T));
  give_pieces(object, sink);
}

/// Passes to `sink` all storage that the object owns outside its own bytes, and those of its own bytes that
/// may stop being an object.
template <class T>
void give_pieces(T& object, const piece_sink& sink) {
  if constexpr (flat<T> || !transparent<T>) {
    return;
  } else if constexpr (describes_parts<T>) {
    // One that is made from a container has more to it than the container.
    each_object(object, [&](auto& part) { give_pieces(part, sink); });
  } else if constexpr (std::is_array_v<T> || fixed_array<T>) {
    for (auto& element : object) give_pieces(element, sink);
  } else if constexpr (vector_like<T>) {
    sink.take(sink.context, object.data(), object.size() * sizeof(typename T::value_type));
    for (auto& element : object) give_pieces(element, sink);
  } else if constexpr (mapping<T>) {
    for (auto& entry : object) give_piece(entry.second, sink);
  } else if constexpr (optional_like<T>) {
    if (object.has_value()) give_piece(*object, sink);
  } else if constexpr (variant_like<T>) {
    if (!object.valueless_by_exception()) visit([&](auto& held) { give_piece(held, sink); }, object);
  } else if constexpr (adaptor<T>) {
    give_pieces(adapted(object), sink);
  } else if constexpr (has_parts<T>) {
    each_object(object, [&](auto& part) { give_pieces(part, sink); });
  } else if constexpr (pair_like<T>) {
    give_pieces(object.first, sink);
    give_pieces(object.second, sink);
  } else {
    for (auto& element : object) give_piece(element, sink);
  }
}

template <class T>
counterpart find_counterpart(T& before, T& now, const located& object);

/// Searches an object whose own bytes may hold the other. Const objects, such as a set's elements, are no
/// places.
template <class T>
counterpart find_within(T& before, T& now, const located& object) {
  if constexpr (std::is_const_v<T>) {
    return {};
  } else {
    if (const counterpart inner = find_counterpart(before, now, object); inner.known) return inner;
    auto* const begin = reinterpret_cast<std::byte*>(__builtin_addressof(before));
    if (!lies_in(object, begin, sizeof(T))) return {};
    return {true, reinterpret_cast<std::byte*>(__builtin_addressof(now)) +
                      (static_cast<std::byte*>(object.address) - begin)};
  }
}

/// The same where the new object may have no such part: `now` is null then, and there is no counterpart.
template <class T>
counterpart find_within(T& before, T* now, const located& object) {
  if (now) return find_within(before, *now, object);
  return {find_within(before, before, object).known, nullptr};
}

/// Searches an aggregate, whose parts have the same offsets in both objects.
template <class T>
counterpart find_in_parts(T& before, T& now, const located& object) {
  counterpart found;
  each_object(before, [&](auto& part) {
    if (found.known) return;
    using Part = std::remove_reference_t<decltype(part)>;
    const std::ptrdiff_t distance = reinterpret_cast<const std::byte*>(__builtin_addressof(part)) -
                                    reinterpret_cast<const std::byte*>(__builtin_addressof(before));
    auto* const ours = reinterpret_cast<std::byte*>(__builtin_addressof(now)) + distance;
    found = find_within(part, *reinterpret_cast<Part*>(ours), object);
  });
  return found;
}

template <class T>
counterpart find_counterpart(T& before, T& now, const located& object) {
  counterpart found;
  if constexpr (std::is_const_v<T> || flat<T> || !transparent<T>) {
    return found;
  } else if constexpr (describes_parts<T>) {
    found = find_in_parts(before, now, object);
  } else if constexpr (std::is_array_v<T> || fixed_array<T>) {
    for (std::size_t i = 0; i < length_of(before) && !found.known; ++i)
      found = find_within(before[i], now[i], object);
  } else if constexpr (vector_like<T>) {
    using Element = typename T::value_type;
    if (lies_in(object, before.data(), before.size() * sizeof(Element))) {
      const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(object.address) -
                                                   reinterpret_cast<std::byte*>(before.data()));
      const std::size_t i = offset / sizeof(Element);
      return find_within(before[i], i < now.size() ? &now[i] : nullptr, object);
    }
    if constexpr (!flat<Element>)
      for (std::size_t i = 0; i < before.size() && !found.known; ++i)
        found = find_within(before[i], i < now.size() ? &now[i] : nullptr, object);
  } else if constexpr (mapping<T>) {
    for (auto& entry : before) {
      if (!find_within(entry.second, entry.second, object).known) continue;
      // The later update is of a place that it would have made.
      if constexpr (std::is_copy_constructible_v<typename T::mapped_type>) {
        if (now.find(entry.first) == now.end()) now.insert(entry);
      }
      const auto other = now.find(entry.first);
      return find_within(entry.second, other != now.end() ? &other->second : nullptr, object);
    }
  } else if constexpr (optional_like<T>) {
    if (before.has_value()) found = find_within(*before, now.has_value() ? &*now : nullptr, object);
  } else if constexpr (variant_like<T>) {
    if (before.valueless_by_exception()) return found;
    void* other = nullptr;  // of the same type as what `before` has, or null
    if (before.index() == now.index()) visit([&](auto& held) { other = __builtin_addressof(held); }, now);
    visit(
        [&](auto& held) {
          using Held = std::remove_reference_t<decltype(held)>;
          found = find_within(held, static_cast<Held*>(other), object);
        },
        before);
  } else if constexpr (adaptor<T>) {
    found = find_counterpart(adapted(before), adapted(now), object);
  } else if constexpr (has_parts<T>) {
    found = find_in_parts(before, now, object);
  } else if constexpr (pair_like<T>) {
    found = find_within(before.first, now.first, object);
    if (!found.known) found = find_within(before.second, now.second, object);
  } else {
    auto other = now.begin();
    for (auto& element : before) {
      found = find_within(element, other != now.end() ? &*other : nullptr, object);
      if (found.known) break;
      if (other != now.end()) ++other;
    }
  }
  return found;
}

/// True if storage that an object of this type owns may hold places that elements_of() does not cover.
template <class T>
inline constexpr bool owns_deeply =
    std::is_class_v<T> && !flat<T> &&
    !(flat_sequence<T> && contiguous<T>)&&!std::is_trivially_destructible_v<T> &&
    std::is_move_constructible_v<T>;

template <class T>
void give_pieces_of(void* place, const piece_sink& sink) {
  give_pieces(*static_cast<T*>(place), sink);
}

/// Finds the counterpart in an object that has been moved to `before` and assigned to since.
template <class T>
counterpart follow(T& before, T& now, located object) {
  auto* const bytes = reinterpret_cast<std::byte*>(__builtin_addressof(now));
  // What has stayed in the object's own bytes was moved along with them.
  if (lies_in(object, bytes, sizeof(T)))
    object.address = reinterpret_cast<std::byte*>(__builtin_addressof(before)) +
                     (static_cast<std::byte*>(object.address) - bytes);
  return find_counterpart(before, now, object);
}

/// Assigns, and replaces each follower's address, which lies in a piece of the place, by that of its
/// counterpart, or by null if there is none.
template <class T>
void replace_object(void* place, void (*assign)(void* place, term value), term value,
                    const follower* followers, std::size_t count) {
  T& now = *static_cast<T*>(place);
  T before(static_cast<T&&>(now));
  assign(place, value);
  for (std::size_t i = 0; i < count; ++i)
    *followers[i].address = follow(before, now, {*followers[i].address, followers[i].bytes}).where;
}

/// Moves the place's value to a new object, and returns that.
template <class T>
void* set_object_aside(void* place) {
  void* room = ::operator new(sizeof(T), std::align_val_t(alignof(T)));
  return ::new (room) T(static_cast<T&&>(*static_cast<T*>(place)));
}

}  // namespace kanor::abi
