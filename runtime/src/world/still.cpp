// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/still.hpp"

#include <unistd.h>

#include "job/failure.hpp"
#include "job/hang.hpp"
#include "platform/process.hpp"
#include "platform/text.hpp"
#include "platform/wait.hpp"

namespace kanor::rt {
namespace {

constexpr std::uint64_t look_us = 1'000'000;

std::string seconds_text(int seconds) {
  return std::to_string(seconds) + (seconds == 1 ? " second" : " seconds");
}

std::string halt_text(int process, const Halt& halt) {
  if (halt.debugger == 0) return "is stopped; `kill -CONT " + std::to_string(process) + "` lets it go on";
  const std::string name = program_name(halt.debugger);
  return "is held by " + (name.empty() ? "a debugger" : name) + " (process " + std::to_string(halt.debugger) +
         ")";
}

}  // namespace

std::int64_t StillWatch::due_us() const {
  const std::uint64_t now = monotonic_us();
  return now >= next_look_us_ ? 0 : static_cast<std::int64_t>(next_look_us_ - now);
}

int StillWatch::first_of_process(int rank) const {
  return home_.own_process ? rank : rank - rank % home_.control.count();
}

StillWatch::AllWaited StillWatch::waited() const {
  const Control& control = home_.control;
  Local& local = home_.local;
  const int first = local.sizes().first, end = first + local.sizes().count;
  AllWaited all;
  for (int rank = control.first(); rank < control.first() + control.count(); ++rank) {
    const int peer = local.presence(rank).awaits.load(std::memory_order_relaxed);
    if (peer >= 0 && !is_own(peer)) all.try_emplace(first_of_process(peer), Waited{rank, peer});
    if (peer != any_rank) continue;
    for (int other = first; other < end; ++other)
      if (other != rank && !is_own(other) && !local.presence(other).over.load(std::memory_order_relaxed))
        all.try_emplace(first_of_process(other), Waited{rank, any_rank});
  }
  if (!home_.own_process) return all;
  int last = -1;
  for (int rank = first; rank < end; ++rank) {
    if (local.presence(rank).over.load(std::memory_order_relaxed)) continue;
    if (last >= 0) return all;
    last = rank;
  }
  if (last >= 0) all.try_emplace(last, Waited{-1, last});
  return all;
}

void StillWatch::look() {
  if (due_us() > 0) return;
  next_look_us_ = monotonic_us() + look_us;
  // Who can do this does not stand still.
  if (home_.network)
    home_.local.told_still(first_of_process(home_.control.first())).store(false, std::memory_order_relaxed);
  const AllWaited all = waited();
  for (const auto& [first, one] : all) home_.local.has(first) ? look_at(first, &one) : ask(first, one);
  const std::map<int, int> before = still_;
  for (const auto& [first, looks] : before)
    if (!all.contains(first)) look_at(first, nullptr);
}

void StillWatch::look_at(int first, const Waited* waited) {
  const int process = home_.local.presence(first).process.load(std::memory_order_relaxed);
  const Halt halt = process > 0 ? halt_of(process) : Halt{};
  if (!halt.is_stopped) {
    still_.erase(first);
    home_.local.told_still(first).store(false, std::memory_order_relaxed);
  } else if (++still_[first] > seconds_ && waited) {
    tell(first, *waited, halt_text(process, halt));
  }
}

void StillWatch::ask(int first, const Waited& waited) {
  const int unanswered =
      home_.answers.ask(home_, home_.local.supervisor_pool(), home_.control.first(), first);
  if (unanswered == 0) home_.local.told_still(first).store(false, std::memory_order_relaxed);
  if (unanswered >= seconds_)
    tell(first, waited,
         "has not answered for " + seconds_text(seconds_) + ": it is stopped, or its host is out of reach");
}

void StillWatch::tell(int first, const Waited& waited, const std::string& what) const {
  if (home_.local.told_still(first).exchange(true, std::memory_order_relaxed)) return;
  const Control& control = home_.control;
  Line line;
  line.text("kanor: ");
  if (waited.waiter < 0) {
    line.text("the job");
  } else {
    line.text("rank ").number(waited.waiter);
    if (*control.host() != '\0') line.text(" (host ").text(control.host()).text(")");
  }
  line.text(" ").text(waited.waiter < 0 ? "waits" : waiting_text(control.page(waited.waiter)));
  if (waited.peer == any_rank)
    line.text(" for any rank, and the process of rank ").number(first);
  else
    line.text(" for rank ").number(waited.peer).text(", whose process");
  line.text(" ").text(what).write_to(STDERR_FILENO);
}

}  // namespace kanor::rt
