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
  std::uint64_t length = 0;  ///< of the member's memory
  std::uint64_t next = 0;    ///< the index with which the last run goes on
  std::byte* values = nullptr;
  std::byte* values_end = nullptr;
  std::byte* values_limit = nullptr;  ///< the end of the memory for values
  put_run* runs = nullptr;
  put_run* runs_end = nullptr;
  put_run* runs_limit = nullptr;
};

/// Returns true for references, and for views, which do not own their elements as a std::array does.
template <class Memory>
constexpr bool outlives_call = std::is_lvalue_reference_v<Memory> ||
                               (std::is_trivially_copyable_v<Memory> &&
                                !requires { std::tuple_size<Memory>::value; });

/// Elements that lie one after the other, and are not those of a temporary object.
template <class Memory, class T>
concept memory_of = outlives_call<Memory> && requires(Memory memory) {
  static_cast<T*>(memory.data());
  memory.size();
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

  /// Returns the list of puts to `rank`, whose last run ends before this element, with room for its value.
  /// Null where extend() has more to do.
  put_list* list_for(int rank, long long index) const {
    if (static_cast<unsigned>(rank) >= static_cast<unsigned>(members_)) return nullptr;
    put_list& list = lists_[rank];
    const auto at = static_cast<std::uint64_t>(index);
    if (at >= list.length || list.values_end == list.values_limit || list.runs_end == list.runs)
      return nullptr;
    if (at == list.next) return &list;
    put_run& last = list.runs_end[-1];
    if (last.count == 1 && last.first != at) {
      last.stride = static_cast<std::int64_t>(at - last.first);
    } else {
      if (list.runs_end == list.runs_limit) return nullptr;
      *list.runs_end++ = {at, 0, 1};
    }
    list.next = at;
    return &list;
  }
  /// The same with more memory, or for the first put. Returns null if the put takes no part. Ends the job if
  /// there is no such member or element.
  put_list* extend(int rank, long long index, const char* file, int line);
  void fence(const char* file, int line);

  put_list* lists_ = nullptr;  ///< one for each member
  int members_ = 0;
  window_record* record_ = nullptr;
};

}  // namespace abi

/// Memory of each rank of a team, into which the others put elements, whenever they have one.
/// fence() brings what was put: until then the memory is the rank's own, and no put has changed it.
///
///     kanor::window<double> bins{memory};      // every rank opens its memory
///     bins.put(owner, index, value);           // memory[index] = value on rank `owner`
///     bins.fence();                            // all puts of all ranks are in place
///
/// Opening a window and fence() are steps of the team, as blocks are: all members take them in the
/// same sequence. Closing is none. put() copies the value, communicates nothing and waits for nobody.
/// Puts whose indices are equally spaced are sent as one piece; others take 12 bytes each beside the
/// value. What is put is kept in the rank's own memory until the fence.
///
/// Two puts before one fence must not write the same element. If they do, the put of the higher rank
/// of the team wins, and of one rank's puts the later one; checked mode (KANOR_CHECK=1) reports it.
///
/// The window refers to the memory, which must stay where it is until the window is closed: a vector
/// may be assigned to, by the program or a block, as long as its elements do not move. Elements are
/// plain bytes without pointers inside. One thread of a rank at a time uses a window. Errors end the
/// job.
template <class T>
class window : private abi::window_base {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                "the elements of a kanor::window must be trivially copyable, and not const");
  static_assert(!std::is_pointer_v<T>, "the elements of a kanor::window must not be pointers");
  static_assert(alignof(T) <= 64, "the elements of a kanor::window are aligned to at most 64 bytes");

 public:
  using value_type = T;

  /// Opens `length` elements at `memory`; ranks may open different numbers, and none. All members of
  /// `team` call it, and wait for each other. Takes 64 bytes for each member.
  window(T* memory, std::size_t length, const kanor::team& team = kanor::world,
         const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : window_base(memory, length, sizeof(T), alignof(T), team, file, line) {}
  /// Opens the elements of a vector, an array, a span or a kanor::buffer.
  template <abi::memory_of<T> Memory>
  explicit window(Memory&& memory, const kanor::team& team = kanor::world,
                  const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : window(memory.data(), memory.size(), team, file, line) {}
  template <std::size_t length>
  explicit window(T (&memory)[length], const kanor::team& team = kanor::world,
                  const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : window(memory, length, team, file, line) {}

  window(window&& other) noexcept = default;
  /// Closes this window, and takes over the other.
  window& operator=(window&& other) noexcept {
    window taken(std::move(other));
    swap(taken);
    return *this;
  }
  /// Closes the window on this rank. Puts of this rank that no fence has brought are an error, unless
  /// an exception leaves the scope.
  ~window() = default;

  /// At the next fence, sets element `index` of the memory that `rank` has opened. `rank` may be the
  /// caller. With kanor::no_rank and any index it does nothing. A rank or an index that does not exist is an
  /// error.
  void put(int rank, long long index, const T& value, const char* file = __builtin_FILE(),
           int line = __builtin_LINE()) {
    abi::put_list* list = list_for(rank, index);
    if (!list) [[unlikely]] {
      list = extend(rank, index, file, line);
      if (!list) return;
    }
    std::memcpy(list->values_end, &value, sizeof(T));
    list->values_end += sizeof(T);
    abi::put_run& run = list->runs_end[-1];
    ++run.count;
    list->next += static_cast<std::uint64_t>(run.stride);
  }

  /// Brings all puts that all members have made since the last fence. Returns when those into this
  /// rank's memory are in place. All members of the team call it; none leaves before all have entered.
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
