// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_WINDOW_HPP
#define KANOR_WINDOW_HPP

/// Windows: memory into which the other ranks of a team put elements.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "kanor/team.hpp"

namespace kanor {

namespace abi {

/// Elements with the indices `first, first + stride, …`.
struct put_run {
  std::uint64_t first;
  std::uint64_t count;
  std::int64_t stride;
};

/// The elements that a rank puts into the memory of one member, until the next fence: their values,
/// and runs of their indices, both in the order of the puts.
struct put_list {
  std::uint64_t length = 0;    ///< of the member's memory
  std::uint64_t next = 0;      ///< the index with which the last run goes on
  std::byte* at = nullptr;     ///< behind the last value
  std::byte* limit = nullptr;  ///< the end of the memory for values
  std::byte* values = nullptr;
  put_run* last = nullptr;  ///< the last run; null if there is none
  put_run* runs = nullptr;
  std::size_t run_room = 0;
};

struct window_record;

/// The runtime's part of a window.
class window_base {
 public:
  window_base(const window_base&) = delete;
  window_base& operator=(const window_base&) = delete;

 protected:
  window_base(void* memory, std::size_t length, std::size_t element_bytes, std::size_t alignment,
              const kanor::team& team, const char* file, int line);
  ~window_base();
  window_base(window_base&& other) noexcept { swap(other); }
  void swap(window_base& other) noexcept {
    std::swap(lists_, other.lists_);
    std::swap(members_, other.members_);
    std::swap(record_, other.record_);
  }

  /// Returns the list of puts to `rank` with room for the value of an element that continues its last run, or
  /// null if there is no such list.
  put_list* continued(int rank, long long index) const {
    if (static_cast<unsigned>(rank) >= static_cast<unsigned>(members_)) return nullptr;
    put_list& list = lists_[rank];
    const bool continues = static_cast<std::uint64_t>(index) == list.next && list.next < list.length;
    return continues && list.at != list.limit ? &list : nullptr;
  }
  /// Begins a run, or makes room for another value. Returns null if the put takes no part. Ends the job if
  /// there is no such member or element.
  put_list* extend(int rank, long long index, const char* file, int line);
  void fence(const char* file, int line);

  put_list* lists_ = nullptr;  ///< one for each member
  int members_ = 0;
  window_record* record_ = nullptr;
};

}  // namespace abi

/// Memory of each rank of a team, into which the others put elements, whenever they have one. fence() brings
/// what was put: until then the memory is the rank's own, and no put has changed it.
///
///     kanor::window<double> bins(memory);      // every rank opens its memory
///     bins.put(owner, index, value);           // memory[index] = value on rank `owner`
///     bins.fence();                            // all puts of all ranks are in place
///
/// Opening a window and fence() are steps of the team, as blocks are: all members take them in the same
/// sequence. put() communicates nothing and waits for nobody. Puts whose indices are equally spaced are sent
/// as one piece; others take 12 bytes each beside the value. What is put is kept in the rank's own memory
/// until the fence.
///
/// Two puts before one fence must not write the same element. If they do, the put of the higher rank wins,
/// and of one rank's puts the later one; checked mode (KANOR_CHECK=1) reports it.
///
/// The window refers to the memory, which must not move or end before the window does. A window can be moved,
/// but not copied. One thread of a rank at a time uses it. All errors end the job.
template <class T>
class window : private abi::window_base {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                "the elements of a kanor::window must be trivially copyable, and not const");
  static_assert(!std::is_pointer_v<T>, "the elements of a kanor::window must not be pointers");
  static_assert(alignof(T) <= 64, "the elements of a kanor::window are aligned to at most 64 bytes");

 public:
  using value_type = T;

  /// Opens `length` elements at `memory`; ranks may open different numbers, and none. All members of `team`
  /// call it, and wait for each other. Takes 64 bytes for each member.
  window(T* memory, std::size_t length, const kanor::team& team = kanor::world,
         const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : window_base(memory, length, sizeof(T), alignof(T), team, file, line) {}
  /// Opens the elements of a vector, an array, a span or a kanor::buffer.
  template <class Memory>
      explicit window(Memory&& memory, const kanor::team& team = kanor::world,
                      const char* file = __builtin_FILE(),
                      int line = __builtin_LINE()) requires(std::is_lvalue_reference_v<Memory&&> ||
                                                            std::is_trivially_copyable_v<Memory>) &&
      requires {
    static_cast<T*>(memory.data());
    memory.size();
  }
      : window(memory.data(), memory.size(), team, file, line) {}
      template <std::size_t length>
      explicit window(T (&memory)[length], const kanor::team& team = kanor::world,
                      const char* file = __builtin_FILE(), int line = __builtin_LINE())
          : window(memory, length, team, file, line) {}

      window(window&& other) noexcept = default;
      /// Closes the window. Puts that no fence has brought are an error, unless an exception leaves the
      /// scope.
      ~window() = default;

      /// At the next fence, sets element `index` of the memory that `rank` has opened. `rank` may be the
      /// caller. With kanor::no_rank it does nothing. A rank or an index that does not exist is an error.
      void put(int rank, long long index, const T& value, const char* file = __builtin_FILE(),
               int line = __builtin_LINE()) {
        abi::put_list* list = continued(rank, index);
        if (!list) [[unlikely]] {
          list = extend(rank, index, file, line);
          if (!list) return;
        }
        std::memcpy(list->at, &value, sizeof(T));
        list->at += sizeof(T);
        ++list->last->count;
        list->next += static_cast<std::uint64_t>(list->last->stride);
      }

      /// Brings all puts that all members have made since the last fence. Returns when those into this rank's
      /// memory are in place. All members of the team call it; none leaves before all have entered.
      void fence(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        window_base::fence(file, line);
      }
};

/// `kanor::window w(memory);` has the memory's elements.
template <class Memory>
window(Memory&& memory, const kanor::team& team = kanor::world)
    -> window<std::remove_reference_t<decltype(*memory.data())>>;
/// The same for an array.
template <class T, std::size_t length>
window(T (&memory)[length], const kanor::team& team = kanor::world) -> window<T>;

}  // namespace kanor

#endif
