// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was a buffer, and must not be used any more: checked mode.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

#include "match/call.hpp"
#include "platform/text.hpp"

namespace kanor::rt {

/// The fate of a buffer, with the call that caused it and the call's place.
struct Loss {
  enum class How : std::uint8_t {
    nothing,
    given,  ///< to rank `rank`
    freed,
    returned,  ///< to rank `rank`, which had lent it
    shared     ///< not lost: others read it too, so it may be read only
  };
  How how = How::nothing;
  const char* call = "";
  Place place;
  int rank = 0;
};

/// "the buffer was given to rank 1 at a.c:12". Async-signal-safe.
void describe(Line& line, const Loss& loss);
std::string text_of(const Loss& loss);

/// A buffer's memory: whole pages, and its elements in them.
struct BufferPages {
  std::byte* pages = nullptr;
  std::size_t pages_bytes = 0;
  std::byte* first = nullptr;
  std::size_t bytes = 0;
};

/// The memory of the latest buffers that this process has lost. It takes addresses, but no memory: nobody can
/// read or write there, so a rank that still does is told by a fault, whose message says what became of the
/// buffer. One for all ranks of a process, since their faults are.
class Quarantine {
 public:
  /// The most buffers and bytes that are kept; of more the oldest go. Each buffer cuts the process's memory
  /// into two pieces more, of which Linux allows 65530.
  static constexpr std::size_t most_buffers = 8192;
  static constexpr std::size_t most_bytes = std::size_t{64} << 30;

  static Quarantine& instance();

  /// Takes the pages of a buffer for which note() has not been called.
  void keep(const BufferPages& memory, const Loss& loss);
  /// Notes that a buffer is shared, whose pages stay the caller's. Returns the number for forget().
  std::size_t note(const BufferPages& memory, const Loss& loss);
  void forget(std::size_t number);
  /// Gives all addresses back, so that the process has some.
  void give_up();

  struct Found {
    Loss loss;
    std::size_t offset = 0, bytes = 0;  ///< the address's offset in the buffer, and the buffer's size
  };
  /// The buffer in whose pages the address lies; How::nothing if there is none. Async-signal-safe.
  Found find(const void* address) const;

 private:
  Quarantine();

  /// A noted buffer. Written under the lock, and read by whoever faults, at any time: what was read counts if
  /// `version` was even and the same before and after (a seqlock; Boehm, MSPC 2012).
  struct Entry {
    std::atomic<std::uint32_t> version{0};
    std::atomic<std::byte*> pages{nullptr};  ///< null: nothing
    std::atomic<std::size_t> pages_bytes{0};
    std::atomic<std::byte*> first{nullptr};
    std::atomic<std::size_t> bytes{0};
    std::atomic<Loss::How> how{Loss::How::nothing};
    std::atomic<const char*> call{""}, file{""};
    std::atomic<int> line{0}, rank{0};
  };
  std::size_t put(const BufferPages& memory, const Loss& loss);
  void write(Entry& entry, const BufferPages& memory, const Loss& loss);
  void evict(Entry& entry);

  std::mutex lock_;
  std::size_t next_ = 0, oldest_ = 0;  ///< entry numbers; an entry's index is its number modulo most_buffers
  std::size_t kept_bytes_ = 0;
  std::array<Entry, most_buffers> entries_{};
};

}  // namespace kanor::rt
