// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the plain structures through which the thin templates of the other headers talk to
/// the compiled exchange in libkanor.
#pragma GCC system_header

#include <cstddef>

namespace kanor::abi {

/// Where a block stands. The strings live as long as the program.
struct site {
  const char* file;
  int line;
  const char* function;
};

/// Which ranks evaluate a block's clauses and ranks: all that take part, those that send, or those that
/// receive.
enum class knows : unsigned char { both, sender, receiver };

/// Flag of a statement: its values have a type that is marked [[kanor::same_address_space]], so they reach
/// only ranks that share addresses; another receiver is a run-time error.
inline constexpr unsigned same_address_space = 1;
/// Flag of a statement of an async block: its values are variables or parts of such, which must not be
/// written until the exchange ends; checked mode looks.
inline constexpr unsigned lasting_value = 2;
/// Flag of a statement by whose pattern all ranks send to all: its values' elements stay as they are until
/// the block ends, if no place of the block meets them.
inline constexpr unsigned lent_value = 4;

/// One statement of a block, for messages: its line, its text on one line, and its names ("i, j") in the
/// order in which the binder gets their values.
struct statement_site {
  int line = 0;
  const char* text = "";
  const char* names = "";
  unsigned flags = 0;
  /// Sets, filters and ranks in symbols, for a rank that looks for its own bindings: see
  /// runtime/src/plan/form.hpp. Empty: every rank goes through all of them.
  const char* form = "";
  /// Where one side knows: those of the names that travel to the other, as in `names`.
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
  /// Anything else is printed as what it converts to, or as `?`.
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

/// How a value lies in a message.
enum class layout : unsigned char {
  flat,      ///< its bytes
  sequence,  ///< a 64-bit count, then that many elements' bytes
  object,    ///< between ranks that share addresses a pointer to a copy, which the receiver destroys (unless
             ///< always archived); else a 64-bit length and that many bytes of an archive
  region     ///< between ranks that share what it lies in the address of the object, with a reference to its
             ///< region (see kanor/abi/globalised.hpp); else as the object would without one
};

struct term;
class buffer_memory;

/// A value in a region that is sent, by its elements.
struct region_value {
  const void* data;
  std::size_t bytes;
  std::size_t element_bytes;  ///< of a sequence; 0: it is flat
  std::size_t alignment;
  bool needs_addresses;  ///< as in travelling
  bool given;            ///< the variable lets go of the region once all values have been taken
};

/// How the values of one type travel. `bytes` and `alignment` are the value's if flat, an element's if a
/// sequence.
struct travelling {
  layout how;
  std::size_t bytes;
  std::size_t alignment;
  /// Of an object: a new one from an archive of so many bytes; null if the type has no archive form.
  /// Malformed bytes end the job.
  void* (*decode)(const std::byte* archive, std::size_t length_bytes);
  /// Of an object: destroys and frees it.
  void (*destroy)(void* object);
  /// Of an object: a copy would refer to what is the sender's, so it is an archive for every rank.
  bool always_archived = false;
  /// Of an object in a region: how it travels otherwise, flat or as a sequence.
  const travelling* plain = nullptr;
  /// Of an object in a region: what it would be as an arrived value of that kind.
  term (*in_region)(void* object) = nullptr;
  /// Of an object in a region: part of it is on the process's heap.
  bool needs_addresses = false;
};

/// An arrived value. `data` is the value's address, or the first element's of a sequence of `count`. The
/// bytes may be written to, for nobody else uses them, unless they are in a region.
struct term {
  void* data = nullptr;
  std::size_t count = 1;
  void* object = nullptr;  ///< in a region: the object, with a reference that goes with the term
};

/// Memory that a block gives away. The buffer shows it until all values of the block have been taken, since
/// all are those before the block.
struct gift {
  buffer_memory* from;  ///< null: it is gone, as a temporary is
  term elements;
};

/// Where a place's elements lie: `data` is null if there are none.
struct storage {
  const void* data = nullptr;
  std::size_t count = 0;
  std::size_t element_bytes = 0;
};

struct extent_sink;

/// Takes pieces of storage that may go away when their owner is assigned to.
struct piece_sink {
  void (*take)(void* context, const void* data, std::size_t bytes);
  void* context;
};

/// A place of an update to come, which follows what it is part of: where its address is kept, and the bytes
/// of its object.
struct follower {
  void** address;
  std::size_t bytes;
};

/// What a receiver does with the values of one statement.
struct receiving {
  travelling value;
  /// Assigns a value to a place, and may move from it unless it is in a region; null: `value.bytes` bytes are
  /// copied.
  void (*assign)(void* place, term value);
  /// Of a place that can take over a reference to the value's region: does so, in place of assigning; else
  /// null.
  void (*adopt)(void* place, void* object);
  /// The place refers to a region.
  bool place_in_region;
  /// Makes an object of a sequence where a reduction folds it whole; else null.
  void* (*lift)(term sequence);
  /// Destroys what `lift` made.
  void (*drop)(void* object);
  /// Replaces `into` by `operation(into, other)`; null for an assignment. Unlike lengths end the job.
  void (*combine)(void* operation, term& into, term& other);
  /// Bytes that say whether two places are the same one: the size of a proxy, or 0 for an lvalue, whose
  /// address says it.
  std::size_t proxy_bytes;
  void (*destroy_proxy)(void* proxy);
  /// The proxy begins with the address of what it refers to, as a section does.
  bool proxy_has_root;
  /// The size of the place's object, or of what a proxy's address is of.
  std::size_t object_bytes;
  /// Of a place whose assignment may move its elements elsewhere: where they lie now; else null.
  storage (*elements)(const void* place);
  /// Tells of all storage that belongs to the place; null for a proxy that is no section.
  void (*extents)(const void* place, const extent_sink& sink);
  /// Of a place whose object owns more than that: give_pieces tells what, and replace assigns so that
  /// followers' addresses follow, or become null where what they were of is no more; else null.
  void (*give_pieces)(void* place, const piece_sink& sink);
  void (*replace)(void* place, void (*assign)(void* place, term value), term value, const follower* followers,
                  std::size_t count);
  /// Of a place whose object is not understood: a new object that takes over what it owns, so that later
  /// places in it remain memory; else null.
  void* (*set_aside)(void* place);
  void (*destroy_aside)(void* object);
  /// Where elements are folded one by one: `into[i] = operation(a[i], b[i])` for so many of `apart_bytes`
  /// bytes each. Only reads `a` and `b`; `into` may be `a`. Else null.
  void (*combine_apart)(void* operation, void* into, const void* a, const void* b, std::size_t count);
  std::size_t apart_bytes;
  /// `assign` only reads the value, and calls no function of the program.
  bool only_reads;
  /// `combine_apart` calls no function of the program.
  bool folds_plainly;
  /// Whether `assign` or `combine` may find fault with the value, so that the names' values are kept for the
  /// message.
  bool may_fail;
};

/// End the job, with the block, the statement and the binding that is being updated in the message.
[[noreturn]] void fail_lengths(std::size_t place_length, std::size_t value_length);
[[noreturn]] void fail_fold_lengths(std::size_t first_length, std::size_t second_length);
/// An index of a place or value in checked mode.
[[noreturn]] void fail_element(long long index, std::size_t count);
[[noreturn]] void fail_archive(const char* what, std::size_t at_byte, std::size_t length_bytes);

}  // namespace kanor::abi
