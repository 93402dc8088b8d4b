// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows: puts are kept by the rank that makes them, as runs of equally spaced elements, and a fence sends
// them. It is a block with `knows = sender` of one statement, which has a binding for each pair of ranks.
//
// The paper's minimal set of pieces (Schneider, Gerstenberger, Hoefler: Compiler Optimizations for
// Non-Contiguous Remote Data Movement, 2013, section 2) is found while puts are made, in their order: a piece
// that ends where the next put begins grows, also with a stride. Nothing is sorted, because puts of one
// element must keep their order.
#include "kanor/window.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <unordered_map>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/member_values.hpp"
#include "exchange/team_record.hpp"
#include "platform/copy.hpp"

namespace kanor::abi {

/// What a rank keeps of a window.
struct window_record {
  kanor::team team;
  std::string opened;    ///< where, for messages
  std::uint64_t number;  ///< its position among the team's steps: the same on all members
  std::byte* memory;
  std::size_t element_bytes;
  receiving how{};
  std::vector<put_list> lists{};
  std::vector<int> receivers{};  ///< the members whose lists are not empty
  bool checks = false;           ///< checked mode: looks for two puts of one element
  std::unordered_map<std::uint64_t, int>
      writers{};  ///< the elements that a fence has written, and by whose puts
};

}  // namespace kanor::abi

namespace kanor::rt {
namespace {

using abi::put_list;
using abi::put_run;
using abi::window_record;

constexpr abi::travelling number_name{abi::layout::flat, sizeof(std::uint64_t), alignof(std::uint64_t),
                                      nullptr, nullptr};
constexpr abi::travelling runs_name{abi::layout::sequence, sizeof(put_run), alignof(put_run), nullptr,
                                    nullptr};

/// The window as text, which is the same on all members: they may open it at different lines.
std::string text_of(const window_record& window) {
  return "the window that was opened at position " + std::to_string(window.number);
}

/// What the members tell each other when they open a window.
struct Opened {
  std::uint64_t length;
  std::uint64_t element_bytes;
};

/// The place of one member's puts.
struct Arrival {
  window_record* window;
  const put_run* runs;
  std::size_t count;
  int sender;
};

/// Makes sure that there is memory behind the end: twice as much as now, or the first. Ends the job if there
/// is none.
template <class Element>
void make_room(Element*& begin, Element*& end, Element*& limit, std::size_t first) {
  if (end != limit) return;
  const std::size_t used = static_cast<std::size_t>(end - begin), room = used == 0 ? first : 2 * used;
  begin = static_cast<Element*>(std::realloc(begin, room * sizeof(Element)));
  if (!begin)
    fail(
        "out of memory for the puts into a kanor::window, which are kept until the next fence: call fence "
        "more often");
  end = begin + used;
  limit = begin + room;
}

void clear(put_list& list) {
  list.values_end = list.values;
  list.runs_end = list.runs;
}

std::string elements_text(std::uint64_t length) {
  if (length == 0) return "no elements";
  return std::to_string(length) +
         (length == 1 ? " element: 0" : " elements: 0 to " + std::to_string(length - 1));
}

template <std::size_t bytes>
void scatter(std::byte* to, std::ptrdiff_t stride, const std::byte* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, to += stride, values += bytes) std::memcpy(to, values, bytes);
}

/// Copies `count` values to elements that are `stride` bytes apart.
void scatter(std::byte* to, std::ptrdiff_t stride, const std::byte* values, std::size_t count,
             std::size_t bytes) {
  if (stride == static_cast<std::ptrdiff_t>(bytes)) {
    std::memcpy(to, values, count * bytes);
  } else if (bytes == 4) {
    scatter<4>(to, stride, values, count);
  } else if (bytes == 8) {
    scatter<8>(to, stride, values, count);
  } else {
    for (std::size_t i = 0; i < count; ++i, to += stride, values += bytes) copy_few(to, values, bytes);
  }
}

/// Checked mode: notes who writes the elements, and fails if somebody has.
void note_writer(const Arrival& puts, const put_run& run) {
  for (std::uint64_t i = 0, at = run.first; i < run.count;
       ++i, at += static_cast<std::uint64_t>(run.stride)) {
    const auto [known, is_first] = puts.window->writers.emplace(at, puts.sender);
    if (is_first) continue;
    const std::string earlier = std::to_string(known->second);
    Blocks::here().current()->fail_updating(
        "two puts write element " + std::to_string(at) + " of this rank's memory" +
        (known->second == puts.sender
             ? ", both of rank " + earlier
             : ", one of rank " + earlier + " and one of rank " + std::to_string(puts.sender)) +
        ": between two fences, one put at most must write an element");
  }
}

void take_puts(void* place, abi::term values) {
  const Arrival& puts = *static_cast<const Arrival*>(place);
  const window_record& window = *puts.window;
  const auto* at = static_cast<const std::byte*>(values.data);
  for (const put_run& run : std::span(puts.runs, puts.count)) {
    if (window.checks) note_writer(puts, run);
    scatter(window.memory + run.first * window.element_bytes,
            run.stride * static_cast<std::ptrdiff_t>(window.element_bytes), at, run.count,
            window.element_bytes);
    at += run.count * window.element_bytes;
  }
}

/// Adds the update for the puts of a member, whose message is being read.
void add_puts(abi::block&, const void* function, int sender) {
  auto* const window = static_cast<window_record*>(const_cast<void*>(function));
  Execution& fence = *Blocks::here().current();
  std::uint64_t number;
  std::memcpy(&number, fence.take_name(number_name).data, sizeof(number));
  if (number != window->number)
    fence.fail_updating("rank " + std::to_string(sender) +
                        " has called fence of another window than this rank, which has called that of the "
                        "window of " +
                        window->opened + ": all members must call it for their windows in the same sequence");
  const abi::term runs = fence.take_name(runs_name);
  void* const room = fence.keep(sizeof(Arrival), alignof(Arrival), nullptr);
  fence.add(::new (room) Arrival{window, static_cast<const put_run*>(runs.data), runs.count, sender}, sender,
            window->how, nullptr, 0);
}

void put_sequence(Execution& fence, int member, const void* elements, std::size_t count, std::size_t bytes,
                  std::size_t alignment) {
  fence.open(member);
  std::memcpy(fence.outbox().put_sequence(count, bytes, alignment), elements, count * bytes);
}

/// Puts a member's list into the message to it.
void send_puts(Execution& fence, const window_record& window, int member) {
  const put_list& list = window.lists[static_cast<std::size_t>(member)];
  const auto bytes = static_cast<std::size_t>(list.values_end - list.values);
  fence.begin_record(member);
  fence.open(member);
  fence.outbox().put_flat(&window.number, sizeof(window.number), alignof(std::uint64_t));
  put_sequence(fence, member, list.runs, static_cast<std::size_t>(list.runs_end - list.runs), sizeof(put_run),
               alignof(put_run));
  put_sequence(fence, member, list.values, bytes / window.element_bytes, window.element_bytes,
               window.how.value.alignment);
}

}  // namespace
}  // namespace kanor::rt

namespace kanor::abi {

using namespace rt;

window_base::window_base(void* memory, std::size_t length, std::size_t element_bytes, std::size_t alignment,
                         const kanor::team& team, const char* file, int line) {
  const site where{file, line, "window"};
  Blocks& blocks = Blocks::here();
  if (const site* const other = blocks.at_work())
    blocks.refuse("a kanor::window is opened at " + place_of(where), *other,
                  "a block's expressions cannot communicate");
  TeamState& state = state_of(blocks, team, "the opening of a window", where);
  const auto open_text = [&] { return "a kanor::window is opened at " + place_of(where); };
  if (length > 0 && !memory)
    fail(open_text() + " with " + std::to_string(length) + " elements at a null pointer");
  if (reinterpret_cast<std::uintptr_t>(memory) % alignment != 0)
    fail(open_text() + " at an address that is no multiple of " + std::to_string(alignment) +
         ", the alignment of its elements");
  const std::uint64_t number = state.sequence;
  const std::vector<Opened> all =
      gather_values(blocks, state, Opened{length, element_bytes}, Step::window, where);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].element_bytes != element_bytes)
      fail("rank " + std::to_string(i) + " opens a window of elements of " +
           std::to_string(all[i].element_bytes) + " bytes, and this rank one of " +
           std::to_string(element_bytes) + " at " + place_of(where));

  record_ = new window_record{team, place_of(where), number, static_cast<std::byte*>(memory), element_bytes};
  record_->how.value = {layout::sequence, element_bytes, alignment, nullptr, nullptr};
  record_->how.assign = &take_puts;
  record_->how.proxy_bytes = sizeof(Arrival);
  record_->how.only_reads = true;
  record_->lists.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    record_->lists[i].length = all[i].length;
    clear(record_->lists[i]);
  }
  record_->checks = blocks.checks() != nullptr;
  lists_ = record_->lists.data();
  members_ = static_cast<int>(all.size());
}

window_base::~window_base() {
  if (!record_) return;
  // A child that a rank forks is no rank, and closes nothing.
  if (!record_->receivers.empty() && here_or_null() && std::uncaught_exceptions() == 0)
    fail("the kanor::window of " + record_->opened +
         " is closed with puts that no fence has brought: call fence after the last put");
  for (const put_list& list : record_->lists) {
    std::free(list.values);
    std::free(list.runs);
  }
  delete record_;
}

put_list* window_base::extend(int rank, long long index, const char* file, int line) {
  const auto put_text = [&] {
    return "put at " + place_of({file, line, ""}) + " into the memory of rank " + std::to_string(rank);
  };
  if (!record_) fail(put_text() + ": the window has been moved from");
  if (rank == no_rank) return nullptr;
  if (rank < 0 || rank >= members_)
    fail(put_text() + ", but the window's team has " + std::to_string(members_) +
         (members_ == 1 ? " rank: 0" : " ranks: 0 to " + std::to_string(members_ - 1)));
  put_list& list = lists_[rank];
  if (index < 0 || static_cast<std::uint64_t>(index) >= list.length)
    fail(put_text() + ", element " + std::to_string(index) + ", but that rank has opened " +
         elements_text(list.length));
  constexpr std::size_t first_values = 16, first_runs = 4;
  make_room(list.values, list.values_end, list.values_limit, first_values * record_->element_bytes);
  make_room(list.runs, list.runs_end, list.runs_limit, first_runs);
  if (list.runs_end == list.runs) {
    record_->receivers.push_back(rank);
    list.next = static_cast<std::uint64_t>(index);
    ::new (list.runs_end++) put_run{list.next, 0, 1};
  }
  return list_for(rank, index);
}

void window_base::fence(const char* file, int line) {
  const site where{file, line, "fence"};
  if (!record_) fail("the fence at " + place_of(where) + " is of a window that has been moved from");
  Execution& execution = Blocks::here().enter(where, record_->team, abi::knows::sender, false, Step::fence);
  if (Checks* const checks = Blocks::here().checks()) checks->concerns(text_of(*record_));
  execution.begin({.line = line, .text = "kanor::window::fence()"}, nullptr);
  execution.set_one_sided(&add_puts, record_, &record_->how);
  for (const int receiver : record_->receivers) {
    send_puts(execution, *record_, receiver);
    clear(lists_[receiver]);
  }
  record_->receivers.clear();
  record_->writers.clear();
  execution.run();
}

}  // namespace kanor::abi
