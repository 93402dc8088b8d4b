// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: variables whose memory ranks share instead of copying it.
///
///     double A[1024];              kanor::abi::globalised<double[1024]> kanor_shared_A({"heat.cpp", 3,
///     "A"});
///                                  pointer_to<double[1024]> A = kanor_shared_A.get();
///     A[i] = 1;                    A = kanor_shared_A.acquire(); … (*A)[i] = 1;
///     std::fill(A, A + 1024, 0);   A = kanor_shared_A.overwrite(); … std::fill(*A, *A + 1024, 0);
///     b@r <<= A@s                  kanor_bind.send(kanor_shared_A); or, where nothing reads A before it is
///                                  overwritten, kanor_bind.send(kanor_shared_A.give())
///     A@r <<= b@s                  kanor_bind.assign(kanor_shared_A, …); after the block
///                                  A = kanor_shared_A.get(); after the last read A =
///                                  kanor_shared_A.release();
///
/// A block shares or adopts whole variables only. A block that has an element of one as a place must neither
/// send that variable by its handle nor have it as a place.
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

/// The name and source position of a variable's declaration, for KANOR_STATS. The strings live as long as the
/// program.
struct declaration {
  const char* file = "";
  int line = 0;
  const char* name = "";
};

/// The properties of the type of an object in a region that the runtime needs.
struct region_kind {
  std::size_t bytes;  ///< its size; its alignment is at most 64
  /// True if the bytes are the value: all ranks that share memory may share it, else only those that share
  /// addresses.
  bool flat;
  /// If not flat: destroys the object.
  void (*destroy)(void* object);
  /// If not flat: constructs an object with room for a copy of `from`.
  void (*begin_copy)(void* at, const void* from);
  /// If not flat: copies the next piece of the value, of at most `piece_bytes` (but at least one element),
  /// after the first `copied_bytes`. Returns the size of the piece; 0 at the end.
  std::size_t (*copy_piece)(void* to, const void* from, std::size_t copied_bytes, std::size_t piece_bytes);
  /// If not flat: returns the size of the value in bytes.
  std::size_t (*value_bytes)(const void* object);
};

/// The size of the header before the object in a region. The header begins with the number of references to
/// the region.
inline constexpr std::size_t region_head_bytes = 64;

/// A variable's reference to a region, independent of the type: see runtime/src/ownership/region.hpp. Belongs
/// to a rank; outside of ranks it can only be destroyed.
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

  /// Returns true if nobody else holds the region, or can get hold of it except through this rank.
  bool is_sole() const {
    // Acquire pairs with the release of those who let go: what they have read comes before what is written
    // from here on.
    return object_ && __atomic_load_n(reinterpret_cast<const std::uint32_t*>(
                                          static_cast<const std::byte*>(object_) - region_head_bytes),
                                      __ATOMIC_ACQUIRE) == references_;
  }
  /// Returns memory for an object in a new region, which this rank alone holds. Ends the job if there is no
  /// memory.
  void* new_room(const region_kind& kind) const;
  /// Frees memory from new_room() in which no object was constructed.
  static void give_back(void* room) noexcept;
  /// Makes the variable the only holder of its region, or of a new one with a copy of the value. There must
  /// be a region.
  void acquire_or_copy(const region_kind& kind);
  /// Drops the region, if there is one, and returns memory for an object in a new one.
  void* rename(const region_kind& kind);
  void let_go() noexcept;
  /// Drops the region, unless the job shares nothing.
  void end_use() noexcept;
  /// Takes a reference for a message. `gives`: it may be the variable's last one; the variable then drops the
  /// region before any message of the block is sent.
  void refer(bool gives) noexcept;
  /// Takes over a reference from a block.
  void adopt(void* object) noexcept;
  /// The same from another variable of this rank. When dropped, the reference returns to that variable if it
  /// still refers to the region.
  void borrow(region_handle& lender) noexcept;

  void* object_ = nullptr;        ///< in the region; null: none
  std::uint32_t references_ = 0;  ///< the variable's own, of the region's references

  /// Returns true if a block that sends the value, which this rank keeps as well, should copy it: recently
  /// shared values had to be copied before they were written, which costs more than sending a copy at once.
  /// Copies for several receivers cost more than that one copy, unless they are short. `others` is the number
  /// of receivers that are asked for and are other ranks; all of a block, which `block` identifies, count
  /// together.
  bool prefers_copy(std::size_t value_bytes, std::uint64_t block, std::size_t others) noexcept;

 private:
  friend class rt::Execution;
  friend class rt::Repetition;
  friend class value_sink;
  void unlink() noexcept;

  const declaration where_;
  region_handle *lender_ = nullptr, *borrower_ = nullptr;  ///< linked to each other
  // What came of sharing: see prefers_copy().
  std::uint16_t copies_left_ = 0;   ///< the number of further blocks that send a copy
  std::uint16_t patience_ = 0;      ///< the last initial value of copies_left_
  std::uint16_t shared_since_ = 0;  ///< blocks that have shared the value since then
  bool was_copied_ = false;         ///< the result of prefers_copy() for last_block_
  std::size_t others_ = 0;          ///< receivers of last_block_ so far that are other ranks
  std::uint64_t last_block_ = ~std::uint64_t{0};
};

/// True for vectors and buffers that regions may hold: they own nothing but elements of plain bytes, in
/// memory that any rank of the process may free.
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

/// Constructs an object as a declaration without an initialiser does: scalars keep the memory's contents.
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

/// The type that a shared variable's name has in emitted code: a pointer to the object that the handle holds.
/// Debuggers know the class, and show the object.
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

/// The pointer type for a variable: plain for structures, whose members debuggers find through it.
template <class T>
using pointer_to = std::conditional_t<has_elements<T>, variable_pointer<T>, T*>;

template <class T>
class globalised;

/// The value of a variable that nothing reads before it is overwritten. A block that takes it drops the
/// variable's region as soon as all of the block's values have been taken.
template <class T>
struct given {
  globalised<T>* handle;
};

/// A variable of type T that refers to a region. The pointers that its functions return are valid until the
/// next of them is called, or a block with the variable is executed.
template <class T>
class globalised : public region_handle {
  static_assert(
      flat<T> || shareable_vector<T>,
      "only arrays, vectors, buffers and plain structures of plain bytes can be shared between ranks");
  static_assert(alignof(T) <= 64, "a type that is aligned to more than 64 bytes cannot be shared");

 public:
  explicit globalised(const declaration& where = {}) : region_handle(where) { renew(); }
  /// `construct(at)` constructs the T at the address.
  template <class Construct>
  requires(std::is_invocable_v<const Construct&, void*>) explicit globalised(const Construct& construct)
      : globalised(declaration{}, construct) {}
  template <class Construct>
  globalised(const declaration& where, const Construct& construct) : region_handle(where) {
    fill(new_room(kind_of_region<T>), construct);
  }

  /// The object; null after release(), or after its value was given away and no other has arrived.
  T* get() const { return static_cast<T*>(object_); }
  /// Gets exclusive use of the object, and keeps its value. Never waits; copies an object that others still
  /// use.
  T* acquire() {
    if (!is_sole()) [[unlikely]]
      object_ ? acquire_or_copy(kind_of_region<T>) : renew();
    return get();
  }
  /// Gets exclusive use of an object without the value: a vector may be empty. Never copies.
  T* overwrite() {
    if (!is_sole()) [[unlikely]]
      renew();
    return get();
  }
  /// Drops a value that is no longer needed, and returns null. If the job shares nothing, the variable keeps
  /// it.
  T* release() {
    if (object_) end_use();
    return get();
  }
  given<T> give() { return {this}; }

  /// Takes over a reference. For the headers of blocks.
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
