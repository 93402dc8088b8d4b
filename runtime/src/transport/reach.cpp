// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/reach.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "platform/process_memory.hpp"
#include "transport/rank_state.hpp"
#include "transport/streams.hpp"

namespace kanor::rt {
namespace {

int process_of(const Rank& rank, int peer) {
  return rank.home.local.presence(peer).process.load(std::memory_order_relaxed);
}

/// Ends the job. If the other process has ended, its supervisor says so, and ends the job itself.
[[noreturn]] void fail_to_copy(Rank& rank, int peer, const char* verb, std::size_t bytes) {
  const int error = errno;
  if (error == ESRCH) wait_for_streams(rank, peer, [] { return false; });
  fail(std::string("cannot ") + verb + " " + std::to_string(bytes) + " bytes of the memory of rank " +
       std::to_string(peer) + ": " + std::strerror(error) +
       ". One of the two buffers is not all memory, or the kernel forbids it (process_vm_readv). "
       "KANOR_DISABLE=sharing sends copies instead");
}

}  // namespace

bool reaches(const Rank& rank, int peer) {
  Local& local = rank.home.local;
  if (!local.has(peer)) return false;
  std::atomic<Reach>& reach = local.reach(rank.number, peer);
  const Reach known = reach.load(std::memory_order_relaxed);
  if (known != Reach::unknown) return known == Reach::yes;
  // Processes of one machine need not see each other by the same numbers: in containers that number is
  // another process's. So it is asked for what only the rank has.
  const Presence& other = local.presence(peer);
  const std::uint64_t* const proof = other.proof.load(std::memory_order_acquire);
  if (!proof) return false;  // it has not begun
  std::uint64_t read = 0;
  const bool is_reached = read_process(process_of(rank, peer), &read, proof, sizeof read) &&
                          read == other.proven.load(std::memory_order_relaxed);
  reach.store(is_reached ? Reach::yes : Reach::no, std::memory_order_release);
  return is_reached;
}

bool is_reached_by(const Rank& rank, int peer) {
  Local& local = rank.home.local;
  return local.has(peer) && local.reach(peer, rank.number).load(std::memory_order_acquire) == Reach::yes;
}

void read_memory(Rank& rank, int peer, void* to, const void* from, std::size_t bytes) {
  if (!read_process(process_of(rank, peer), to, from, bytes)) fail_to_copy(rank, peer, "read", bytes);
}

void write_memory(Rank& rank, int peer, void* to, const void* from, std::size_t bytes) {
  if (!write_process(process_of(rank, peer), to, from, bytes)) fail_to_copy(rank, peer, "write", bytes);
}

}  // namespace kanor::rt
