// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_BUFFER_HPP
#define KANOR_BUFFER_HPP

/// Buffers: memory that a rank can give away.
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "kanor/error.hpp"

namespace kanor {

/// Defined below.
template <class T>
class buffer;

namespace abi {

class given_memory;
class passed_memory;
struct gift;

/// The runtime's part of a buffer. Emitted code and libkanor use it; programs do not.
class buffer_memory {
 public:
  buffer_memory(const buffer_memory&) = delete;
  buffer_memory& operator=(const buffer_memory&) = delete;

 protected:
  constexpr buffer_memory() = default;
  constexpr ~buffer_memory() {
    if (elements_) free();
  }
  constexpr void swap(buffer_memory& other) noexcept {
    std::swap(elements_, other.elements_);
    std::swap(count_, other.count_);
    std::swap(given_, other.given_);
    if (given_) follow();
    if (other.given_) other.follow();
  }

  /// Allocates memory for a buffer that has none.
  void allocate(std::size_t count, std::size_t element_bytes);
  void free() noexcept;

  void* elements_ =
      nullptr;  ///< in a region of bytes (runtime/src/ownership/region.hpp); null if there are none
  std::size_t count_ = 0;

 private:
  friend class given_memory;
  void follow() noexcept;

  /// With elements: the gift (abi/buffer_block.hpp) to which they belong, or 0 if they belong to
  /// this buffer. Without elements: in checked mode the number of the block that took them, or 0.
  std::uint64_t given_ = 0;
};

}  // namespace abi

/// A sequence of elements in memory that ranks can hand to each other. A block copies a buffer as
/// it copies a vector. `std::move(b)@s` gives it away: a receiver that shares memory with the
/// sender takes over the memory, and `b` is empty afterwards. A buffer can be moved; clone() copies
/// it.
///
/// The elements are plain bytes (trivially copyable, without pointers), and begin at a multiple of
/// 64 bytes. A buffer belongs to the rank that created or received it. No member waits or
/// communicates.
///
/// The memory is part of KANOR_MEMORY. Running out of it, or creating a buffer outside of a rank,
/// ends the job with an error. Freed memory returns to the pool of the rank that frees it (Friedley
/// et al., PPoPP 2013, section 3.2), so allocating a length that was used before needs no system
/// call.
template <class T>
class buffer : private abi::buffer_memory {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                "the elements of a kanor::buffer must be trivially copyable");
  static_assert(alignof(T) <= 64, "the elements of a kanor::buffer are aligned to at most 64 bytes");

 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using const_pointer = const T*;
  using iterator = T*;
  using const_iterator = const T*;

  constexpr buffer() noexcept = default;
  /// `count` elements, each T{}.
  explicit buffer(size_type count) : buffer(count, T{}) {}
  buffer(size_type count, const T& value) : buffer(for_overwrite(count)) {
    for (T& element : *this) element = value;
  }
  buffer(std::initializer_list<T> values) : buffer(values.begin(), values.end()) {}
  /// Copies of the elements of [first, last). The range is traversed twice.
  template <class Iterator>
  requires requires(Iterator at) {
    ++at;
    static_cast<T>(*at);
  }
  buffer(Iterator first, Iterator last) { assign(first, last); }

  /// `count` elements with undefined values. The caller must write all of them.
  static buffer for_overwrite(size_type count) {
    buffer made;
    made.renew(count);
    return made;
  }

  constexpr buffer(buffer&& other) noexcept { swap(other); }
  /// Frees this buffer's old memory.
  constexpr buffer& operator=(buffer&& other) noexcept {
    buffer taken(std::move(other));
    swap(taken);
    return *this;
  }

  /// A copy: another buffer with the same values.
  [[nodiscard]] buffer clone() const { return buffer(begin(), end()); }

  /// Exchanges the memory, not the elements.
  constexpr void swap(buffer& other) noexcept { buffer_memory::swap(other); }
  friend constexpr void swap(buffer& a, buffer& b) noexcept { a.swap(b); }

  constexpr T* data() noexcept { return static_cast<T*>(elements_); }
  constexpr const T* data() const noexcept { return static_cast<const T*>(elements_); }
  constexpr size_type size() const noexcept { return count_; }
  constexpr bool empty() const noexcept { return count_ == 0; }

  constexpr T* begin() noexcept { return data(); }
  constexpr T* end() noexcept { return data() + count_; }
  constexpr const T* begin() const noexcept { return data(); }
  constexpr const T* end() const noexcept { return data() + count_; }
  constexpr const T* cbegin() const noexcept { return data(); }
  constexpr const T* cend() const noexcept { return data() + count_; }

  constexpr T& operator[](size_type at) { return data()[at]; }
  constexpr const T& operator[](size_type at) const { return data()[at]; }
  constexpr T& front() { return data()[0]; }
  constexpr const T& front() const { return data()[0]; }
  constexpr T& back() { return data()[count_ - 1]; }
  constexpr const T& back() const { return data()[count_ - 1]; }

  /// Frees the memory. The buffer is empty afterwards.
  void clear() noexcept { buffer().swap(*this); }
  /// Changes the number of elements. Keeps the first ones, and sets new ones to T{}. Moves the
  /// elements to other memory, unless the size stays the same.
  void resize(size_type count) {
    if (count == count_) return;
    buffer larger = for_overwrite(count);
    const size_type kept = count < count_ ? count : count_;
    for (size_type i = 0; i < kept; ++i) larger[i] = (*this)[i];
    for (size_type i = kept; i < count; ++i) larger[i] = T{};
    swap(larger);
  }
  /// Replaces the elements by copies of [first, last). Reuses the memory if the size stays the
  /// same.
  template <class Iterator>
  void assign(Iterator first, Iterator last) {
    size_type count = 0;
    for (Iterator at = first; at != last; ++at) ++count;
    if (count != count_) renew(count);
    for (T& element : *this) element = static_cast<T>(*first++);
  }

  friend bool operator==(const buffer& a, const buffer& b) {
    if (a.count_ != b.count_) return false;
    for (size_type i = 0; i < a.count_; ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }

 private:
  friend class abi::given_memory;
  friend class abi::passed_memory;

  void renew(size_type count) {
    clear();
    if (count != 0) allocate(count, sizeof(T));
  }
};

/// Wildcards for take(): any rank, any tag.
inline constexpr int any_rank = -1, any_tag = -1;

/// The rank that gave a buffer, and the tag.
struct giver {
  int rank = any_rank;  ///< the rank's number in kanor::world
  int tag = any_tag;    ///< the tag given to give()
};

namespace abi {

/// Access of give() and take() to a buffer's memory.
class passed_memory {
 public:
  template <class T>
  static buffer_memory& of(kanor::buffer<T>& buffer) {
    return buffer;
  }
  static void give(buffer_memory& buffer, std::size_t element_bytes, int rank, int tag, const char* file,
                   int line);
  static void take(buffer_memory& buffer, std::size_t element_bytes, int rank, int tag, giver* from,
                   const char* file, int line);
};

}  // namespace abi

/// Gives a buffer to `rank` of the world, which must take it with take<T>(). `rank` may be the
/// caller. The buffer is empty afterwards. `tag` must not be negative. Waits only while more than
/// KANOR_INFLIGHT bytes are in flight to `rank`. Giving to kanor::no_rank frees the buffer.
///
/// A rank that shares memory with the caller takes over the memory (up to 280 bytes are copied,
/// which is faster). Other ranks get a copy of the elements, and the memory returns to the caller's
/// pool (Friedley et al., PPoPP 2013, section 3.1). OPI_Take and MPI_Recv (kanor/opi.h) receive the
/// buffer too.
///
/// Throws ownership_error, and leaves the buffer unchanged, if there is no such rank or tag, or
/// while a block is evaluated that gives the buffer away.
template <class T>
void give(buffer<T>&& what, int rank, int tag = 0, const char* file = __builtin_FILE(),
          int line = __builtin_LINE()) {
  abi::passed_memory::give(abi::passed_memory::of(what), sizeof(T), rank, tag, file, line);
}

/// Waits for a buffer that `rank` has given with `tag`, and takes it. The arguments may be any_rank
/// and any_tag. Buffers from one rank are taken in the order in which they were given. If `from` is
/// not null, it is set to the giver. Taking from kanor::no_rank returns an empty buffer. take()
/// also takes what OPI_Give and MPI_Send have sent.
///
/// Throws ownership_error if there is no such rank or tag, or if the data is not a whole number of
/// elements; the data is then lost.
template <class T>
[[nodiscard]] buffer<T> take(int rank, int tag = 0, giver* from = nullptr,
                             const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  buffer<T> taken;
  abi::passed_memory::take(abi::passed_memory::of(taken), sizeof(T), rank, tag, from, file, line);
  return taken;
}

}  // namespace kanor

#endif
