// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: variables whose memory ranks share instead of copying it.
///
///     double A[1024];              kanor::abi::globalised<double[1024]> kanor_A({"heat.cpp", 3, "A"});
///                                  pointer_to<double[1024]> A = kanor_A.get();
///     A[i] = 1;                    A = kanor_A.acquire(); … (*A)[i] = 1;
///     std::fill(A, A + 1024, 0);   A = kanor_A.overwrite(); … std::fill(*A, *A + 1024, 0);
///     b@r <<= A@s                  kanor_send(kanor_A), or kanor_send(kanor_A.give()) where nothing reads A
///                                  before it is overwritten
///     A@r <<= b@s                  kanor_at(kanor_A); after the block A = kanor_A.get();
///                                  after the last read: A = kanor_A.release();
///
/// What a block shares or adopts is a whole variable. A block that has an element of one as a place must
/// neither send that variable by its handle nor have it as a place.
#pragma GCC system_header

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "kanor/abi/codec.hpp"

namespace kanor::rt {
class Execution;
class Repetition;
}  // namespace kanor::rt

namespace kanor::abi {

/// Where a variable is declared, for KANOR_STATS. The strings live as long as the program.
struct declaration {
  const char* file = "";
  int line = 0;
  const char* name = "";
};

/// What the runtime must know of the type of an object in a region.
struct region_kind {
  std::size_t bytes;  ///< its size; at most 64 is its alignment
  /// The bytes are the value: all that share memory may share it, else only those that share addresses.
  bool flat;
  /// Of what is not flat: destroys the object.
  void (*destroy)(void* object);
  /// Of what is not flat: makes an object that has room for a copy of `from`.
  void (*begin_copy)(void* at, const void* from);
  /// Goes on copying: so many bytes of the value have been copied. Copies a piece of at most `piece_bytes`
  /// (one element at least), and answers its bytes; 0: there is no more.
  std::size_t (*copy_piece)(void* to, const void* from, std::size_t copied_bytes, std::size_t piece_bytes);
  /// Of what is not flat: the bytes of the value.
  std::size_t (*value_bytes)(const void* object);
};

/// What lies before the object in a region; it begins with the number of references to the region.
inline constexpr std::size_t region_head_bytes = 64;

/// A variable's reference to a region, whatever the type: see runtime/src/ownership/region.hpp. Belongs to a
/// rank; outside of ranks it can only be destroyed.
class region_handle {
 public:
  region_handle(const region_handle&) = delete;
  region_handle& operator=(const region_handle&) = delete;

  const declaration& where() const { return where_; }

 protected:
  explicit region_handle(const declaration& where) : where_(where) {}
  ~region_handle() {
    if (object_) let_go();
    if (lender_ || borrower_) unlink();
  }

  /// Nobody else holds the region, or can come to hold it but by this rank's doing.
  bool is_sole() const {
    // Acquire pairs with the release of those who let go: what they have read comes before what is written
    // from here on.
    return object_ && __atomic_load_n(reinterpret_cast<const std::uint32_t*>(
                                          static_cast<const std::byte*>(object_) - region_head_bytes),
                                      __ATOMIC_ACQUIRE) == references_;
  }
  /// Room for an object in a new region, which this rank alone holds. Ends the job where there is no memory.
  void* new_room(const region_kind& kind) const;
  /// Gives room back in which no object was made.
  static void give_back(void* room) noexcept;
  /// Exclusive use with the value kept: of this region, or of another with a copy. There is a region.
  void acquire_or_copy(const region_kind& kind);
  /// Lets go of the region, if there is one, in favour of one with room for an object.
  void* rename(const region_kind& kind);
  void let_go() noexcept;
  /// The same, unless the job shares nothing.
  void end_use() noexcept;
  /// One reference more for a message. `gives`: it may be the variable's last one, which is then let go of
  /// before any message of the block is sent.
  void refer(bool gives) noexcept;
  /// Takes a reference over from a block.
  void adopt(void* object) noexcept;
  /// The same, of another variable of this rank, to which it returns where it would be let go of if that
  /// variable refers to the region then.
  void borrow(region_handle& lender) noexcept;

  void* object_ = nullptr;        ///< in the region; null: none
  std::uint32_t references_ = 0;  ///< the variable's own, of the region's holders

  /// Whether a block that sends the value, and leaves it to this rank as well, should copy it: what was
  /// shared of late had to be copied before it was written, and that costs more than to send a copy at once.
  /// One answer for each `block`, a number that another block has not.
  bool prefers_copy(std::size_t value_bytes, std::uint64_t block) noexcept;

 private:
  friend class rt::Execution;
  friend class rt::Repetition;
  friend class value_sink;
  void unlink() noexcept;

  const declaration where_;
  region_handle *lender_ = nullptr, *borrower_ = nullptr;  ///< each other's
  // What came of sharing: see prefers_copy().
  std::uint16_t copies_left_ = 0;   ///< so many blocks more send a copy
  std::uint16_t patience_ = 0;      ///< for so long the last time
  std::uint16_t shared_since_ = 0;  ///< blocks that have shared the value since then
  bool was_copied_ = false;         ///< the answer for
  std::uint64_t last_block_ = ~std::uint64_t{0};
};

/// Vectors and buffers that regions may hold: nothing but their elements, which are plain bytes, and memory
/// that any rank of the process may free.
template <class T>
inline constexpr bool shareable_vector = is_buffer<T>;
template <class T>
requires(flat_sequence<T> && !text<T> && !is_buffer<T> && requires(T & v) {
  v.data();
}) inline constexpr bool shareable_vector<T> = std::is_empty_v<typename T::allocator_type>;

template <class Vector>
void begin_vector_copy(void* at, const void* from) {
  // No `try`: the program may be compiled with -fno-exceptions.
  struct unfinished {
    Vector* vector;
    ~unfinished() {
      if (vector) vector->~Vector();
    }
  } made{::new (at) Vector()};
  const std::size_t count = static_cast<const Vector*>(from)->size();
  if constexpr (is_buffer<Vector>)
    *made.vector = Vector::for_overwrite(count);
  else
    made.vector->reserve(count);
  made.vector = nullptr;
}

template <class Vector>
std::size_t copy_vector_piece(void* to, const void* from, std::size_t copied_bytes, std::size_t piece_bytes) {
  constexpr std::size_t element_bytes = sizeof(typename Vector::value_type);
  const auto& source = *static_cast<const Vector*>(from);
  const std::size_t first = copied_bytes / element_bytes, left = source.size() - first;
  std::size_t count = piece_bytes < element_bytes ? 1 : piece_bytes / element_bytes;
  if (count > left) count = left;
  auto& copy = *static_cast<Vector*>(to);
  if constexpr (!is_buffer<Vector>)
    copy.insert(copy.end(), source.data() + first, source.data() + first + count);
  else if (count != 0)
    __builtin_memcpy(copy.data() + first, source.data() + first, count * element_bytes);
  return count * element_bytes;
}

template <class T>
constexpr region_kind region_kind_of() {
  if constexpr (flat<T>) {
    return {sizeof(T), true, nullptr, nullptr, nullptr, nullptr};
  } else {
    return {sizeof(T),
            false,
            [](void* object) { static_cast<T*>(object)->~T(); },
            &begin_vector_copy<T>,
            &copy_vector_piece<T>,
            [](const void* object) { return bytes_of_value(*static_cast<const T*>(object)); }};
  }
}

template <class T>
inline constexpr region_kind kind_of_region = region_kind_of<T>();

/// As a declaration without an initialiser: scalars keep what the memory holds.
template <class T>
void construct_default(void* at) {
  if constexpr (std::is_trivially_default_constructible_v<T>) {
    return;
  } else if constexpr (std::is_array_v<T>) {
    using Element = std::remove_extent_t<T>;
    for (std::size_t i = 0; i < std::extent_v<T>; ++i)
      construct_default<Element>(static_cast<Element*>(at) + i);
  } else {
    ::new (at) T;
  }
}

/// What the name of a shared variable stands for in emitted code: a pointer to what the handle holds.
/// Debuggers know the class, and show what it points to.
template <class T>
struct variable_pointer {
  T* kanor_at;

  [[gnu::always_inline]] variable_pointer(T* at) : kanor_at(at) {}
  [[gnu::always_inline]] T& operator*() const { return *kanor_at; }
};

template <class T>
inline constexpr bool has_elements = requires(T& value) {
  value[0];
};

/// Debuggers find the members of a structure through a plain pointer.
template <class T>
using pointer_to = std::conditional_t<has_elements<T>, variable_pointer<T>, T*>;

template <class T>
class globalised;

/// The value of a variable that nothing reads before it is overwritten. A block that takes it lets go of the
/// variable's region as soon as all of its values have been taken.
template <class T>
struct given {
  globalised<T>* handle;
};

/// A variable of type T that refers to a region. The pointers that its functions answer are good until the
/// next of them is called, or a block with the variable is executed.
template <class T>
class globalised : public region_handle {
  static_assert(
      flat<T> || shareable_vector<T>,
      "only arrays, vectors, buffers and plain structures of plain bytes can be shared between ranks");
  static_assert(alignof(T) <= 64, "a type that is aligned to more than 64 bytes cannot be shared");

 public:
  explicit globalised(const declaration& where = {}) : region_handle(where) { renew(); }
  /// `construct(at)` makes the T at the address.
  template <class Construct>
  requires(std::is_invocable_v<const Construct&, void*>) explicit globalised(const Construct& construct)
      : globalised(declaration{}, construct) {}
  template <class Construct>
  globalised(const declaration& where, const Construct& construct) : region_handle(where) {
    fill(new_room(kind_of_region<T>), construct);
  }

  /// The variable; null after release(), or after its value was given away and none has come.
  T* get() const { return static_cast<T*>(object_); }
  /// Exclusive use, with the value kept. Never waits; copies what others still use.
  T* acquire() {
    if (!is_sole()) [[unlikely]]
      object_ ? acquire_or_copy(kind_of_region<T>) : renew();
    return get();
  }
  /// Exclusive use, with the value lost: of vectors, it may be empty. Never copies.
  T* overwrite() {
    if (!is_sole()) [[unlikely]]
      renew();
    return get();
  }
  /// The value is not needed any more: null. Where the job shares nothing, the variable keeps it.
  T* release() {
    if (object_) end_use();
    return get();
  }
  given<T> give() { return {this}; }

  /// For the headers of blocks: takes a reference over.
  static void adopt_into(void* handle, void* object) { static_cast<globalised*>(handle)->adopt(object); }

 private:
  void renew() { fill(rename(kind_of_region<T>), &construct_default<T>); }

  template <class Construct>
  void fill(void* room, const Construct& construct) {
    struct unused {
      void* room;
      ~unused() {
        if (room) give_back(room);
      }
    } kept{room};
    construct(room);
    kept.room = nullptr;
    object_ = room;
    references_ = 1;
  }
};

}  // namespace kanor::abi

#include "kanor/abi/region_block.hpp"
