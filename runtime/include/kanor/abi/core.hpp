// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the plain structures through which the thin templates of the other headers talk to
/// the compiled exchange in libkanor.
#pragma GCC system_header

#include <cstddef>

namespace kanor::abi {

/// The source position of a block. The strings live as long as the program.
struct site {
  const char* file;
  int line;
  const char* function;
};

/// The ranks that evaluate a block's clauses and rank expressions: all that take part, those that send, or
/// those that receive.
enum class knows : unsigned char { both, sender, receiver };

/// Flag of a statement: its values have a type that is marked [[kanor::same_address_space]], so they reach
/// only ranks that share addresses; another receiver is a run-time error.
inline constexpr unsigned same_address_space = 1;
/// Flag of a statement of an async block: its values are variables or parts of variables, which must not be
/// written until the exchange ends; checked mode verifies this.
inline constexpr unsigned lasting_value = 2;
/// Flag of a statement in which all ranks send to all: the elements of its values do not change until the
/// block ends, unless a place of the block overlaps them.
inline constexpr unsigned lent_value = 4;

/// One statement of a block, for messages: its line, its text on one line, and its names ("i, j") in the
/// order in which the binder gets their values.
struct statement_site {
  int line = 0;
  const char* text = "";
  const char* names = "";
  unsigned flags = 0;
  /// The sets, filters and rank expressions in symbolic form, from which a rank finds its own bindings: see
  /// runtime/src/plan/form.hpp. Empty: every rank enumerates all bindings.
  const char* form = "";
  /// If only one side knows the bindings: the names whose values are sent to the other side, as in `names`.
  const char* carried = "";
};

/// An arithmetic value, kept to be printed in a message.
class named_value {
 public:
  enum class kind : unsigned char { none, boolean, signed_integer, unsigned_integer, floating };

  constexpr named_value() = default;
  constexpr named_value(bool v) : kind_(kind::boolean), unsigned_(v) {}
  constexpr named_value(char v) : named_value(static_cast<long long>(v)) {}
  constexpr named_value(signed char v) : named_value(static_cast<long long>(v)) {}
  constexpr named_value(short v) : named_value(static_cast<long long>(v)) {}
  constexpr named_value(int v) : named_value(static_cast<long long>(v)) {}
  constexpr named_value(long v) : named_value(static_cast<long long>(v)) {}
  constexpr named_value(long long v) : kind_(kind::signed_integer), signed_(v) {}
  constexpr named_value(unsigned char v) : named_value(static_cast<unsigned long long>(v)) {}
  constexpr named_value(unsigned short v) : named_value(static_cast<unsigned long long>(v)) {}
  constexpr named_value(unsigned v) : named_value(static_cast<unsigned long long>(v)) {}
  constexpr named_value(unsigned long v) : named_value(static_cast<unsigned long long>(v)) {}
  constexpr named_value(unsigned long long v) : kind_(kind::unsigned_integer), unsigned_(v) {}
  constexpr named_value(float v) : named_value(static_cast<double>(v)) {}
  constexpr named_value(double v) : kind_(kind::floating), floating_(v) {}
  constexpr named_value(long double v) : named_value(static_cast<double>(v)) {}
  /// A value of any other type: printed as the integer that it converts to, or as `?`.
  template <class T>
  constexpr named_value(const T& v) {
    if constexpr (requires { static_cast<long long>(v); }) *this = static_cast<long long>(v);
  }

  kind what() const { return kind_; }
  long long as_signed() const { return signed_; }
  unsigned long long as_unsigned() const { return unsigned_; }
  double as_floating() const { return floating_; }

 private:
  kind kind_ = kind::none;
  union {
    long long signed_ = 0;
    unsigned long long unsigned_;
    double floating_;
  };
};

/// The representation of a value in a message.
enum class layout : unsigned char {
  flat,      ///< its bytes
  sequence,  ///< a 64-bit count, then that many elements' bytes
  object,    ///< between ranks that share addresses, a pointer to a copy that the receiver destroys (unless
             ///< always_archived); else a 64-bit length and that many bytes of an archive
  region  ///< between ranks that share its memory, the object's address, with a reference to its region (see
          ///< kanor/abi/globalised.hpp); else as without a region
};

struct term;
class buffer_memory;

/// The elements of a value in a region that is to be sent.
struct region_value {
  const void* data;
  std::size_t bytes;
  std::size_t element_bytes;  ///< if it is a sequence; 0 if it is flat
  std::size_t alignment;
  bool needs_addresses;  ///< as in travelling
  bool given;            ///< the variable drops the region once all values have been taken
};

/// How values of one type are sent. `bytes` and `alignment` are the value's if it is flat, an element's if it
/// is a sequence.
struct travelling {
  layout how;
  std::size_t bytes;
  std::size_t alignment;
  /// For an object: makes a new one from an archive; null if the type has no archive form. Malformed bytes
  /// end the job.
  void* (*decode)(const std::byte* archive, std::size_t length_bytes);
  /// For an object: destroys and frees it.
  void (*destroy)(void* object);
  /// For an object: true if its receiver must make it itself (shallow_copy), so that every rank gets an
  /// archive.
  bool always_archived = false;
  /// For an object in a region: how it is sent without its region, flat or as a sequence.
  const travelling* plain = nullptr;
  /// For an object in a region: returns the term with the address and number of its elements.
  term (*in_region)(void* object) = nullptr;
  /// For an object in a region: true if part of it is on the process's heap.
  bool needs_addresses = false;
};

/// A received value. `data` is the address of the value, or of the first of a sequence's `count` elements.
/// The bytes may be overwritten, since nobody else uses them, unless they are in a region.
struct term {
  void* data = nullptr;
  std::size_t count = 1;
  void* object = nullptr;  ///< in a region: the object; the term holds a reference to the region
};

/// Memory that a block gives away. The buffer still shows it until all values of the block have been taken,
/// because a block sends the values from before it.
struct gift {
  buffer_memory* from;  ///< null if it no longer exists, like a temporary
  term elements;
};

/// The memory of a place's elements. `data` is null if there are none.
struct storage {
  const void* data = nullptr;
  std::size_t count = 0;
  std::size_t element_bytes = 0;
};

struct extent_sink;

/// Receives pieces of storage that may become invalid when their owner is assigned to.
struct piece_sink {
  void (*take)(void* context, const void* data, std::size_t bytes);
  void* context;
};

/// The place of a later update, whose address is corrected when the object that it is part of is replaced: a
/// pointer to the stored address, and the size of the place's object.
struct follower {
  void** address;
  std::size_t bytes;
};

/// How a place is assigned whose object owns storage beyond its `elements`. Null for others.
struct deep_assignment {
  /// give_pieces passes the storage to `sink`, and replace assigns and corrects the followers' addresses, to
  /// null if their objects no longer exist.
  void (*give_pieces)(void* place, const piece_sink& sink);
  void (*replace)(void* place, void (*assign)(void* place, term value), term value, const follower* followers,
                  std::size_t count);
  /// For an object of an unknown structure, instead of these two: returns a new object that takes over its
  /// storage, so that later places in it remain valid memory.
  void* (*set_aside)(void* place);
  void (*destroy_aside)(void* object);
};

/// The receiver's operations on the values of one statement.
struct receiving {
  travelling value;
  /// Assigns a value to a place, and may move from it unless it is in a region; null: `value.bytes` bytes are
  /// copied.
  void (*assign)(void* place, term value);
  /// For a place that can take over a reference to the value's region: does so, in place of assigning; else
  /// null.
  void (*adopt)(void* place, void* object);
  /// True if the place refers to a region.
  bool place_in_region;
  /// For a reduction that folds a sequence whole: makes an object of it; else null.
  void* (*lift)(term sequence);
  /// Destroys what `lift` made.
  void (*drop)(void* object);
  /// Replaces `into` by `operation(into, other)`; null for an assignment. Different lengths end the job.
  void (*combine)(void* operation, term& into, term& other);
  /// The size of a proxy, or 0 for an lvalue. Two places are the same if their proxies' bytes, or their
  /// addresses, are equal.
  std::size_t proxy_bytes;
  void (*destroy_proxy)(void* proxy);
  /// True if the proxy begins with the address of the object that it refers to, as a section does.
  bool proxy_has_root;
  /// The size of the place's object, or of the object at the address in a proxy.
  std::size_t object_bytes;
  /// For a place whose assignment may move its elements: returns their current memory; else null.
  storage (*elements)(const void* place);
  /// Passes all storage that belongs to the place to `sink`; null for a proxy other than a section.
  void (*extents)(const void* place, const extent_sink& sink);
  deep_assignment deep;
  /// For a reduction element by element: `into[i] = operation(a[i], b[i])` for `count` elements of
  /// `apart_bytes` bytes. Only reads `a` and `b`; `into` may be `a`. Else null.
  void (*combine_apart)(void* operation, void* into, const void* a, const void* b, std::size_t count);
  std::size_t apart_bytes;
  /// True if `assign` only reads the value, and calls no function of the program.
  bool only_reads;
  /// True if `combine_apart` calls no function of the program.
  bool folds_plainly;
  /// True if `assign` or `combine` may reject the value, so that the names' values are kept for the message.
  bool may_fail;
};

/// End the job. The message names the block, the statement and the binding that is being updated.
[[noreturn]] void fail_lengths(std::size_t place_length, std::size_t value_length);
[[noreturn]] void fail_fold_lengths(std::size_t first_length, std::size_t second_length);
/// Ends the job in checked mode: an index of a place or value is out of range.
[[noreturn]] void fail_element(long long index, std::size_t count);
[[noreturn]] void fail_archive(const char* what, std::size_t at_byte, std::size_t length_bytes);

}  // namespace kanor::abi
