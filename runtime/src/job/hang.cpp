// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job/hang.hpp"

#include "job/failure.hpp"

namespace kanor::rt {
namespace {

std::string rank_text(const RankPage& page) {
  const std::string block = block_text(page);
  if (page.ended.load(std::memory_order_acquire))
    return block.empty() ? "has ended" : "has ended (last " + block + ")";
  const std::string where = waiting_text(page);
  const int rank = page.waits_for.load(std::memory_order_relaxed);
  const std::string peer = rank < 0 ? "any rank" : "rank " + std::to_string(rank);
  switch (page.waits.load(std::memory_order_acquire)) {
    case Waits::data:
      if (waits_for_receipt(page)) return where + " until " + peer + " receives its message";
      return where + " for data from " + peer + tag_text(page);
    case Waits::room:
      return where + " for room to send to " + peer;
    case Waits::end:
      return "its main has ended" + (block.empty() ? "" : " (last " + block + ")");
    case Waits::nothing:
      break;
  }
  return "goes on";
}

}  // namespace

std::uint64_t HangWatch::stuck_us(std::uint64_t now_us) {
  std::uint64_t progress = 1;
  bool goes_on = false;
  for (int rank = control_.first(); rank < control_.first() + control_.count(); ++rank) {
    const RankPage& page = control_.page(rank);
    const bool ended = page.ended.load(std::memory_order_acquire);
    progress += ended ? 1 : 0;
    progress += page.waits_done.load(std::memory_order_acquire);
    goes_on = goes_on || (!ended && page.waits.load(std::memory_order_acquire) == Waits::nothing);
  }
  if (goes_on || progress != progress_) since_us_ = 0;
  progress_ = progress;
  if (goes_on) return 0;
  if (since_us_ == 0) since_us_ = now_us;
  return now_us - since_us_;
}

bool HangWatch::all_ended() const {
  for (int rank = control_.first(); rank < control_.first() + control_.count(); ++rank)
    if (!control_.page(rank).ended.load(std::memory_order_acquire)) return false;
  return true;
}

std::string HangWatch::report() const {
  std::string text;
  for (int rank = control_.first(); rank < control_.first() + control_.count(); ++rank)
    text += "kanor: rank " + std::to_string(rank) + ": " + rank_text(control_.page(rank)) + "\n";
  return text;
}

std::string waiting_text(const RankPage& page) {
  if (const std::string call = call_text(page); !call.empty()) return "waits in " + call;
  const std::string block = block_text(page);
  return block.empty() ? "waits" : "waits in the " + block;
}

std::string hang_headline(int seconds) {
  return "kanor: the job hangs: every rank waits or has ended, and nothing has moved for " +
         std::to_string(seconds) + (seconds == 1 ? " second" : " seconds") + " (KANOR_HANG_SECONDS)\n";
}

}  // namespace kanor::rt
