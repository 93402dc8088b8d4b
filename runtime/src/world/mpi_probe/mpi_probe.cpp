// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of ranks for mpi_test: `mpi_probe WHAT [ARGUMENT...]`. Exit status 9: something arrived wrong.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "transport/rank.hpp"
#include "transport/rank_state.hpp"

namespace {

using namespace kanor::rt;

/// The value of byte `at` of message `sequence` from `source` to `destination`.
std::byte pattern(int source, int destination, std::uint64_t sequence, std::size_t at) {
  return static_cast<std::byte>(31 * source + 17 * destination + 7 * static_cast<int>(sequence) +
                                static_cast<int>(at % 251));
}

void send_pattern(Rank& rank, int to, std::uint64_t sequence, std::size_t bytes) {
  Buffer buffer = allocate_message(rank, bytes);
  for (std::size_t at = 0; at < bytes; ++at) buffer.data()[at] = pattern(rank_number(rank), to, sequence, at);
  send(rank, to, 7, sequence, std::move(buffer));
}

bool receive_pattern(Rank& rank, int from, std::uint64_t sequence, std::size_t bytes) {
  const Buffer buffer = receive(rank, from, 7, sequence);
  if (buffer.bytes() != bytes) return false;
  for (std::size_t at = 0; at < bytes; ++at)
    if (buffer.data()[at] != pattern(from, rank_number(rank), sequence, at)) return false;
  return true;
}

struct Transfer {
  int source, destination;
  std::uint64_t sequence;
  std::size_t bytes;
};

/// random ROUNDS SEED: every rank draws the same transfers, sends its own, and takes its own in another
/// order.
int random_exchange(Rank& rank, long rounds, unsigned seed) {
  constexpr std::size_t lengths[] = {0, 1, 8, 63, 1000, 8192, 20'000, 70'000, 300'000};
  std::mt19937 draw(seed);  // its numbers are the same everywhere, those of distributions are not
  const int me = rank_number(rank), size = team_size(rank);
  std::uint64_t sequence = 0;
  for (long round = 0; round < rounds; ++round) {
    std::vector<Transfer> transfers;
    const int many = 3 * size;
    for (int i = 0; i < many; ++i) {
      const int source = static_cast<int>(draw() % static_cast<unsigned>(size));
      const int destination = static_cast<int>(draw() % static_cast<unsigned>(size));
      transfers.push_back({source, destination, sequence++, lengths[draw() % std::size(lengths)]});
    }
    for (const Transfer& transfer : transfers)
      if (transfer.source == me) send_pattern(rank, transfer.destination, transfer.sequence, transfer.bytes);
    for (std::size_t i = transfers.size(); i > 1; --i) std::swap(transfers[i - 1], transfers[draw() % i]);
    for (const Transfer& transfer : transfers)
      if (transfer.destination == me &&
          !receive_pattern(rank, transfer.source, transfer.sequence, transfer.bytes))
        return 9;
  }
  return 0;
}

/// around COUNT BYTES: everybody sends COUNT messages to the next rank, then takes as many from the one
/// before.
int around(Rank& rank, long count, std::size_t bytes) {
  const int me = rank_number(rank), size = team_size(rank);
  for (long i = 0; i < count; ++i) send_pattern(rank, (me + 1) % size, static_cast<std::uint64_t>(i), bytes);
  for (long i = 0; i < count; ++i)
    if (!receive_pattern(rank, (me + size - 1) % size, static_cast<std::uint64_t>(i), bytes)) return 9;
  return 0;
}

/// early BYTES: rank 0 sends to everybody and ends at once; the others take it later.
int early(Rank& rank, std::size_t bytes) {
  const int me = rank_number(rank), size = team_size(rank);
  if (me == 0) {
    for (int to = 1; to < size; ++to) send_pattern(rank, to, 0, bytes);
    return 0;
  }
  ::usleep(200'000);
  return receive_pattern(rank, 0, 0, bytes) ? 0 : 9;
}

/// overtaken BYTES: of two processes with two ranks each, rank 2 sends this to rank 0 and ends, while rank 3
/// sends small messages to rank 1, which may overtake it, and the process goes on asking. `missing`: rank 0
/// then waits for one that never comes.
int overtaken(Rank& rank, std::size_t bytes, bool missing) {
  constexpr std::uint64_t small = 500;
  const int me = rank_number(rank);
  if (me == 2) {
    ::usleep(100'000);  // rank 0 waits, and has asked for the end
    send_pattern(rank, 0, 0, bytes);
  }
  for (std::uint64_t i = 0; i < small; ++i) {
    if (me == 3) {
      send_pattern(rank, 1, i, 8);
      rank.home.answers.ask(rank.home, rank.pool, 2, 0);
      ::usleep(1'000);
    }
    if (me == 1 && !receive_pattern(rank, 3, i, 8)) return 9;
  }
  if (me != 0) return 0;
  if (!receive_pattern(rank, 2, 0, bytes)) return 9;
  if (missing) receive(rank, 2, 7, 1);
  return 0;
}

/// exit STATUS RANK: RANK leaves by a library's exit; the others wait for it where the status is not 0.
int library_exit(Rank& rank, int status, int who) {
  const auto real_exit = reinterpret_cast<void (*)(int)>(::dlsym(RTLD_NEXT, "exit"));
  if (rank_number(rank) == who) real_exit(status);
  if (status != 0) receive(rank, who, 7, 0);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const long first = argc > 2 ? std::atol(argv[2]) : 0, second = argc > 3 ? std::atol(argv[3]) : 0;
  Rank& rank = here();
  int status = 2;
  if (what == "random") status = random_exchange(rank, first, static_cast<unsigned>(second));
  if (what == "around") status = around(rank, first, static_cast<std::size_t>(second));
  if (what == "early") status = early(rank, static_cast<std::size_t>(first));
  if (what == "overtaken") status = overtaken(rank, static_cast<std::size_t>(first), second != 0);
  if (what == "exit") status = library_exit(rank, static_cast<int>(first), static_cast<int>(second));
  if (status == 0) std::printf("rank %d of %d is content\n", rank_number(rank), team_size(rank));
  return status;
}
