// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/call_records.hpp"

#include <cstring>
#include <deque>
#include <string>
#include <utility>

#include "c_api/calls.hpp"
#include "c_api/collective_call.hpp"
#include "c_api/predefined_types.hpp"

namespace kanor::rt::c_api {
namespace {

/// The bits of a communicator's channel for records, whose tags are the numbers of its collectives.
constexpr std::uint32_t of_records = inner_channels | std::uint32_t{1} << 31;
constexpr std::uint64_t number_of_tags = std::uint64_t{1} << 31;

/// Adds the runs of basic elements to a record; one kind may follow itself.
class RunSum {
 public:
  explicit RunSum(CallRecord& record) : record_(record) {}
  void operator()(unsigned char kind, std::size_t, std::size_t count) {
    if (kind != kind_) end_run();
    kind_ = kind;
    run_ += count;
    record_.has_packed = record_.has_packed || kind == predefined_number(MPI_PACKED);
  }
  void end() {
    end_run();
    record_.kind = runs_ == 1 ? kind_ : 0;
  }

 private:
  void end_run() {
    if (run_ == 0) return;
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15u;
    constexpr unsigned half = 32;
    for (const std::uint64_t part : {std::uint64_t{kind_}, std::uint64_t{run_}}) {
      record_.sum = (record_.sum ^ part) * factor;
      record_.sum ^= record_.sum >> half;
    }
    ++runs_;
    run_ = 0;
  }

  CallRecord& record_;
  unsigned char kind_ = 0;
  std::size_t run_ = 0, runs_ = 0;
};

CallRecord record_of(std::uint64_t head, const Total& total) {
  CallRecord record;
  record.head = head;
  if (total.type == MPI_DATATYPE_NULL) return record;
  const Signature all = definition_of(total.type)->signature.repeated(total.count);
  record.says_elements = true;
  record.elements = all.elements();
  record.bytes = all.bytes();
  RunSum sum(record);
  all.for_each(sum);
  sum.end();
  return record;
}

std::string text_of_elements(const CallRecord& record) {
  if (record.elements == 0) return "no elements";
  const PredefinedType* const type = find_predefined(unsigned{record.kind});
  return std::to_string(record.elements) +
         (type ? std::string(" ") + type->name : std::string(" basic elements of several datatypes"));
}

}  // namespace

AwaitedRecord::AwaitedRecord(const Wanted& wanted, const collectives::Group& group, const Communicator& comm,
                             const char* name, const CallRecord& own)
    : Receive(wanted),
      rank_(group.owner),
      name_(name),
      other_(text_of_member(group, (group.rank + group.size - 1) % group.size)),
      same_bits_(same_bits_of_heads(comm)),
      is_fatal_(comm.error_handler.handle() == MPI_ERRORS_ARE_FATAL),
      own_(own) {}

AwaitedRecord::~AwaitedRecord() {
  if (!done()) Matcher::of(rank_).cancel(*this);
}

void AwaitedRecord::complete(Arrival&& arrival) {
  CallRecord its;
  std::memcpy(&its, arrival.payload, sizeof its);
  const std::string what = difference(its);
  if (what.empty()) return;
  const std::string text =
      std::string(name_) + " on rank " + std::to_string(rank_number(rank_)) + ": " + what;
  if (is_fatal_) fail(text);
  print_error(rank_, text);
}

std::string AwaitedRecord::difference(const CallRecord& its) const {
  if ((its.head & same_bits_) != (own_.head & same_bits_))
    return unlike_call(other_, its.head, own_.head).text;
  if (!its.says_elements || !own_.says_elements) return {};
  const bool are_same = its.has_packed || own_.has_packed
                            ? its.bytes == own_.bytes
                            : its.elements == own_.elements && its.sum == own_.sum;
  if (are_same) return {};
  const std::string theirs = text_of_elements(its), ours = text_of_elements(own_);
  return other_ + " takes part with " + theirs + ", " +
         (theirs == ours ? "but others than this rank" : "and this rank with " + ours) +
         ": all ranks must name the same basic elements";
}

void tell_call(const collectives::Group& group, const Communicator& comm, const char* name,
               const Total& total) {
  const std::uint32_t channel = of_records | comm.channel();
  // The members of a communicator that there is not yet have not called the same before.
  const bool is_counted = group.context == CollectiveCall::context_of(comm);
  if (group.size == 1 || !is_counted || channel >= first_inner_channel) return;
  Rank& rank = group.owner;
  const CallRecord own = record_of(group.head, comm.sides ? Total{} : total);
  const int previous = group.world_rank((group.rank + group.size - 1) % group.size);
  const int next = group.world_rank((group.rank + 1) % group.size);
  const auto tag = static_cast<std::uint32_t>(group.sequence % number_of_tags);
  Buffer message = allocate_message(rank, sizeof own);
  std::memcpy(message.data(), &own, sizeof own);
  // By the mailbox: the next one may sleep until another one sends.
  stream_at_once_to(rank, next, context_of(channel, Form::content), tag, std::move(message), true);
  std::deque<AwaitedRecord>& awaited = Calls::of(rank).awaited_records;
  const Wanted wanted{channel, previous, static_cast<int>(tag)};
  begin(rank, awaited.emplace_back(wanted, group, comm, name, own));
  Matcher::of(rank).progress(previous, nullptr);
  while (!awaited.empty() && awaited.front().done()) awaited.pop_front();
}

}  // namespace kanor::rt::c_api
