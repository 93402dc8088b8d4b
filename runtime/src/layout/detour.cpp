// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/detour.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace kanor::rt {
namespace {

/// The memory of this core that blocks go through.
constexpr std::size_t detour_bytes = 8192;

std::uint64_t now() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

void copy(bool by_detour, const BlockRow& to, const BlockRow& from, std::size_t count) {
  by_detour ? copy_by_detour(to, from, count) : copy_directly(to, from, count);
}

}  // namespace

bool Detour::is_tried_now() {
  if (trials_ >= first_trials && ++copies_ < copies_between) return false;
  copies_ = 0;
  return true;
}

void Detour::note(std::uint64_t direct, std::uint64_t detour) {
  // What has been written in one long copy takes a little longer to read.
  constexpr double kept = 0.75, clearly = 0.75;
  direct_ = kept * direct_ + static_cast<double>(direct);
  detour_ = kept * detour_ + static_cast<double>(detour);
  is_faster_ = detour_ < clearly * direct_;
  ++trials_;
}

void copy_by_detour(BlockRow to, BlockRow from, std::size_t count) {
  alignas(64) std::byte own[detour_bytes];
  const std::size_t bytes = from.bytes;
  const BlockRow through{reinterpret_cast<std::uintptr_t>(own), static_cast<std::ptrdiff_t>(bytes), nullptr,
                         detour_bytes / bytes, bytes};
  while (count > 0) {
    const std::size_t taken = std::min(count, through.count);
    copy_directly(through, from, taken);
    copy_directly(to, through, taken);
    to.pass(taken);
    from.pass(taken);
    count -= taken;
  }
}

void copy_to_or_from_message(const BlockRow& to, const BlockRow& from, std::size_t count) {
  static thread_local Detour packing, unpacking;
  Detour& detour = to.is_dense() ? packing : unpacking;
  if (!detour.is_tried_now()) return copy(detour.is_faster(), to, from, count);
  const bool first = detour.begins();
  BlockRow rest_to = to, rest_from = from;
  rest_to.pass(count / 2);
  rest_from.pass(count / 2);
  const std::uint64_t begin = now();
  copy(first, to, from, count / 2);
  const std::uint64_t middle = now();
  copy(!first, rest_to, rest_from, count / 2);
  const std::uint64_t end = now();
  first ? detour.note(end - middle, middle - begin) : detour.note(middle - begin, end - middle);
  if (count % 2 == 0) return;
  rest_to.pass(count / 2);
  rest_from.pass(count / 2);
  copy_directly(rest_to, rest_from, 1);
}

}  // namespace kanor::rt
