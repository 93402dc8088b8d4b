// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/waiting.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "job/failure.hpp"
#include "platform/output.hpp"
#include "platform/text.hpp"
#include "transport/ends.hpp"
#include "transport/rings.hpp"

namespace kanor::rt {

void end_while_waiting(const Home& home) {
  if (home.own_process) {
    std::fflush(nullptr);
    end_process(home.control.ending_status());
  }
  for (;;) ::pause();
}

bool is_over(Rank& rank, int peer, bool in_call) {
  Local& local = rank.home.local;
  // Of blocks checked mode finds out what the two ranks did otherwise, which says more.
  if (rank.home.switches.check && !in_call) return false;
  const auto over = [&](int one) {
    return local.has(one) ? has_ended(local.presence(one)) : has_told_its_end(rank, one);
  };
  if (peer != any_rank) return over(peer);
  if (rank.waits.turns) return false;  // another thread of this rank may send it
  for (int one = 0; one < rank.size; ++one)
    if (one != rank.number && !over(one)) return false;
  return rank.size > 1;
}

void fail_over(const Rank& rank, const char* what, int peer, std::uint64_t context) {
  Line line;
  const std::string call = call_text(rank.page);
  if (!call.empty()) line.text(call).text(" ");
  line.text(what).number(peer).text(", which has ended");
  if (!(context & stream_context))
    line.text(call.empty()
                  ? ": all ranks must execute the same sequence of blocks"
                  : ": all ranks must call the same collectives in the same order, with the same root");
  fail(line.view());
}

void keep_apart(Rank& rank, int peer) {
  if (!rank.waits.apart.enabled() || !rank.home.local.has(peer)) return;
  const int other = rank.home.local.presence(peer).core.load(std::memory_order_relaxed);
  rank.presence.core.store(rank.waits.apart.from(other), std::memory_order_relaxed);
}

void keep_arrivals(Rank& rank) {
  for (Message* message = rank.mailbox.take(); message; ++rank.waits.arrivals)
    rank.keep(std::exchange(message, message->next.load(std::memory_order_relaxed)));
}

void acknowledge_kept(Rank& rank) {
  if (rank.home.has_remote()) rank.streams.acknowledge_remote(rank);
  if (rank.expected.keys.empty() || !rank.expected.look) return;
  rank.expected.look = false;
  rank.unexpected.take_all([&](const Message& message) { return rank.expected.has_key(message); },
                           [&](Message* message) { rank.keep_awaited(message); });
}

void acknowledge(Rank& rank) {
  settle_rings(rank);
  acknowledge_kept(rank);
}

}  // namespace kanor::rt
