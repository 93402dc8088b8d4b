// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/counters.hpp"

#include <unistd.h>

#include <map>
#include <tuple>

#include "platform/text.hpp"
#include "transport/rank_state.hpp"

namespace kanor::rt {

SharingCounters& SharingCounters::of(Rank& rank) {
  std::unique_ptr<Attachment>& counters = attachment(rank, Attached::sharing_counters);
  if (!counters) counters = std::make_unique<SharingCounters>();
  return static_cast<SharingCounters&>(*counters);
}

std::size_t SharingCounters::Hash::operator()(const Place& place) const {
  const std::hash<const char*> address;
  return (address(place.file) * 31 + address(place.name)) * 31 + static_cast<std::size_t>(place.line);
}

SharingCounts* SharingCounters::at(Rank& rank, const char* file, int line, const char* name) {
  return switches(rank).statistics ? &of(rank).counts_[{file, line, name}] : nullptr;
}

std::vector<std::string> SharingCounters::lines() const {
  // One text may lie at several addresses.
  std::map<std::tuple<std::string, int, std::string>, SharingCounts> ordered;
  for (const auto& [place, counts] : counts_) {
    if (counts == SharingCounts{}) continue;
    SharingCounts& sum = ordered[{place.file, place.line, place.name ? place.name : ""}];
    sum.copied_bytes += counts.copied_bytes;
    sum.shared_bytes += counts.shared_bytes;
    sum.handed_over_bytes += counts.handed_over_bytes;
    sum.renamed_bytes += counts.renamed_bytes;
    sum.conflict_bytes += counts.conflict_bytes;
    sum.abandoned_copies += counts.abandoned_copies;
    sum.abandoned_bytes += counts.abandoned_bytes;
  }
  std::vector<std::string> lines;
  for (const auto& [place, counts] : ordered) {
    const auto& [file, line, name] = place;
    const auto number = [](std::uint64_t value) { return std::to_string(value); };
    std::string text = file + ":" + std::to_string(line);
    if (!name.empty()) text += " (" + name + ")";
    text += ": copied " + number(counts.copied_bytes) + ", shared " + number(counts.shared_bytes) +
            ", handed over " + number(counts.handed_over_bytes) + ", renamed " +
            number(counts.renamed_bytes) + ", copied on conflict " + number(counts.conflict_bytes) +
            " bytes; " + number(counts.abandoned_copies) + " copies abandoned (" +
            number(counts.abandoned_bytes) + " bytes), 0 waits";
    lines.push_back(std::move(text));
  }
  return lines;
}

void print_sharing(Rank& rank) {
  for (const std::string& text : SharingCounters::of(rank).lines()) {
    Line line;
    line.text("kanor: rank ").number(rank_number(rank)).text(": ").text(text);
    line.write_to(STDERR_FILENO);
  }
}

}  // namespace kanor::rt
