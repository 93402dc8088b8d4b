// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job/hang.hpp"

#include <string_view>

#include "job/failure.hpp"

namespace kanor::rt {
namespace {

constexpr std::string_view of_team = " (of a team of ";

/// Which team's block the rank waits in; empty if it is the world's.
std::string team_text(const RankPage& page) {
  const int size = page.team_size.load(std::memory_order_relaxed);
  if (size == 0 || !call_text(page).empty()) return {};
  return std::string(of_team) + std::to_string(size) + (size == 1 ? " rank" : " ranks") + ", as its rank " +
         std::to_string(page.team_rank.load(std::memory_order_relaxed)) + ")";
}

std::string rank_text(const RankPage& page) {
  const std::string last = last_text(page);
  if (page.ended.load(std::memory_order_acquire))
    return last.empty() ? "has ended" : "has ended (last " + last + ")";
  const std::string where = waiting_text(page) + team_text(page);
  const int rank = page.waits_for.load(std::memory_order_relaxed);
  const std::string peer = rank < 0 ? "any rank" : "rank " + std::to_string(rank);
  switch (page.waits.load(std::memory_order_acquire)) {
    case Waits::data:
      if (waits_for_receipt(page)) return where + " until " + peer + " receives its message";
      return where + " for data from " + peer + tag_text(page);
    case Waits::room:
      return where + " for room to send to " + peer;
    case Waits::end:
      return "its main has ended" + (last.empty() ? "" : " (last " + last + ")");
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
  const std::string place = place_text(page);
  return place.empty() ? "waits" : "waits in " + place;
}

std::string hang_text(int seconds, const std::string& lines) {
  std::string text = "kanor: the job hangs: every rank waits or has ended, and nothing has moved for " +
                     std::to_string(seconds) + (seconds == 1 ? " second" : " seconds") +
                     " (KANOR_HANG_SECONDS)\n" + lines;
  // That the members of one team agree is checked.
  if (lines.find(of_team) != std::string::npos)
    text += "kanor: the likely cause: ranks execute the blocks of different teams in contradicting orders\n";
  return text;
}

}  // namespace kanor::rt
