// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/early_rank.hpp"

#include <cstring>
#include <string>

#include "platform/thread.hpp"
#include "world/launch.hpp"

namespace kanor::rt {

EarlyRank::EarlyRank(Home& home) : home_(home) {
  // The driver belongs to no rank, so it starts before there is one.
  if (home.has_remote())
    if (const int error = start_thread(driver_, rank_stack_bytes(), drive, this))
      refuse(std::string("cannot start a thread for the network: ") + std::strerror(error));
  rank_ = std::make_unique<Rank>(home, home.control.first());
  set_process_rank(rank_.get());
  enter_rank(rank_.get());
}

std::unique_ptr<Rank> EarlyRank::leave() {
  enter_rank(nullptr);
  is_over_.store(true, std::memory_order_relaxed);
  home_.control.notify();
  if (home_.has_remote()) ::pthread_join(driver_, nullptr);
  return std::move(rank_);
}

void* EarlyRank::drive(void* early) {
  const EarlyRank& self = *static_cast<EarlyRank*>(early);
  Home& home = self.home_;
  set_thread_pool(&home.local.supervisor_pool());
  Inbound inbound(home, home.local.supervisor_pool());
  while (!self.is_over_.load(std::memory_order_relaxed)) {
    const std::uint32_t seen = home.control.events();
    home.network->progress(inbound);
    home.control.wait_event(seen, network_look_us);
  }
  return nullptr;
}

}  // namespace kanor::rt
