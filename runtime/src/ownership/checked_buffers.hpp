// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank's owned buffers in checked mode, each on pages of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

#include "ownership/quarantine.hpp"
#include "ownership/region.hpp"

namespace kanor::rt {

/// The buffers of one rank that OPI's calls have returned, while they are the rank's. None of them is shared
/// with other ranks: what is given, lent or broadcast is copied, so that the giver's pages can be closed
/// while the taker writes on its own. Belongs to the rank's thread.
///
///     pages     |         ... Message Region | elements ...           | the last page
///     access    | to be read and written     | as it may be used      |
///
/// A buffer's Message says that it is of no pool.
class CheckedBuffers final : public Attachment {
 public:
  enum class Kind { owned, borrowed };

  static CheckedBuffers& of(Rank& rank);
  CheckedBuffers() = default;
  ~CheckedBuffers() override;

  /// Makes a buffer of zeros for `call` at `place`. Running out of memory ends the job.
  Region& make(std::size_t bytes, Kind kind, const char* call, const Place& place);
  /// The rank's owned buffer whose elements begin there; null: none.
  Region* find(const void* elements) const;
  bool has(const Region& buffer) const;

  /// Takes the buffer from the rank: from now on its use is a fault that says why.
  void lose(Region& buffer, const Loss& loss);
  /// As lose(), for a buffer that nobody has seen.
  void unmake(Region& buffer);

  /// Makes the buffer read-only, because `call` at `place` has shared it.
  void close_for_writing(Region& buffer, const char* call, const Place& place);
  void open_for_writing(Region& buffer);
  bool may_only_be_read(const Region& buffer) const;

  /// Calls `use(kind, call, place, bytes)` for each buffer, with call and place of its maker.
  template <class Use>
  void for_each(Use use) const {
    for (const auto& [elements, record] : records_)
      use(record.kind, record.call, record.place, record.memory.bytes);
  }

  /// Describes a pointer that is no owned buffer's beginning; empty if nothing is known.
  std::string what_is(const void* pointer) const;

 private:
  static constexpr std::size_t not_noted = ~std::size_t{0};
  struct Record {
    BufferPages memory;
    Kind kind = Kind::owned;
    const char* call = "";
    Place place;
    std::size_t noted = not_noted;  ///< its number in Quarantine, while it may only be read
  };
  /// The records by the address of the elements, descending: the first one not above an address may contain
  /// it.
  using Records = std::map<const void*, Record, std::greater<>>;
  Records::const_iterator containing(const void* pointer) const;
  Record& record_of(const Region& buffer) { return records_.at(&buffer + 1); }
  BufferPages forget(Region& buffer);

  Records records_;
};

}  // namespace kanor::rt
