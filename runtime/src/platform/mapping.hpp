// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory without a name: private to this process, or shared with others.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kanor::rt {

enum class Sharing { within_process, with_forked_processes, with_any_processes };

/// The data with which another process maps memory that this one offers. Plain bytes: may be sent.
struct MemoryOffer {
  int process = 0;
  int descriptor = -1;  ///< its number in that process; -1: there is no offer
  std::uint64_t device = 0, inode = 0;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

/// A mapping without a name: nothing of it remains when its processes are gone. It is filled with zeros, and
/// takes real memory only where it is touched. Immovable; unmapped when destroyed. Data() is null where the
/// system has refused.
class Mapping {
 public:
  /// Maps `bytes` bytes where the system likes, for this process and perhaps those that it forks later.
  Mapping(Sharing sharing, std::size_t bytes);
  /// Maps `bytes` bytes at exactly `address`, and offers them to other processes, until withdraw(). Fails
  /// where anything is mapped there already.
  Mapping(std::byte* address, std::size_t bytes, MemoryOffer& offer);
  /// Maps what another process, which still runs, offers: at the same address.
  explicit Mapping(const MemoryOffer& offer);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::byte* data() const { return data_; }

  /// In a child that is no part of the job: makes what it writes from now on to any mapping of its parent's
  /// its own. Where the system refuses, writing is a segmentation fault.
  static void make_all_private();

 private:
  void map_at(std::uint64_t address, std::size_t bytes, int descriptor);
  void keep(void* memory, std::size_t bytes);
  void note_file(int descriptor);
  void make_private() const;

  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  bool is_shared_ = false;
  int file_ = -1;  ///< a descriptor of what is mapped, for make_all_private(); -1: there is none
  std::uint64_t device_ = 0, inode_ = 0;  ///< of that file: the program may have closed the descriptor
  Mapping* next_ = nullptr;               ///< the next of this process's mappings
};

/// Ends an offer, in the process that has made it: nobody else can map the memory any more. Those who have
/// keep it.
void withdraw(const MemoryOffer& offer);

/// Gives the memory behind whole pages of a mapping back to the system; they read as zeros afterwards.
void drop_pages(Sharing sharing, std::byte* from, std::size_t bytes);

/// Asks for huge pages where this process touches the memory first, or for none. The system need not listen:
/// resident_memory() says what it gives.
void want_huge_pages(std::byte* from, std::size_t bytes);
void refuse_huge_pages(std::byte* from, std::size_t bytes);

/// Touches the pages in which the bytes lie, all at once: a fault for each would take several times as long.
/// The system need not do it.
void touch_pages(std::byte* from, std::size_t bytes);

/// The part of a mapping that is in memory, as this process sees it.
struct Resident {
  std::size_t bytes = 0;          ///< in pages of any size
  std::size_t in_huge_pages = 0;  ///< those of them in huge pages
};
/// Measures that part. Takes some milliseconds where much is mapped: the system looks at all of it. Zeros
/// where it does not say.
Resident resident_memory(const std::byte* from, std::size_t bytes);

}  // namespace kanor::rt
