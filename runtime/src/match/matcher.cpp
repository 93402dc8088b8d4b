// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "match/matcher.hpp"

#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "transport/rank_state.hpp"

namespace kanor::rt {
namespace {

std::uint32_t channel_of(std::uint64_t context) { return static_cast<std::uint32_t>(context); }
Form form_of(std::uint64_t context) { return static_cast<Form>(context >> 32 & 0xff); }

int awaited(const Receive& receive) {
  const int source = receive.wanted().source;
  return source == any_source ? any_rank : source;
}

/// The tag of the receive, as messages show it.
int shown_tag(const Receive& receive) {
  if (receive.wanted().channel == answer_channel) return receipt_tag;
  if (is_inner(receive.wanted().channel)) return no_tag;
  return receive.wanted().tag == any_tag ? any_waited_tag : receive.wanted().tag;
}

AnswerNumber number_in(const std::byte* payload, std::size_t bytes) {
  AnswerNumber number = 0;
  std::memcpy(&number, payload + bytes - sizeof number, sizeof number);
  return number;
}

}  // namespace

Matcher::Matcher(Rank& rank) : rank_(rank) {
  const std::size_t most = switches(rank).reference ? ~std::size_t{0} : Posted::most_looked_at;
  posted_.reserve(static_cast<std::size_t>(team_size(rank)) + 1);
  for (int source = any_source; source < team_size(rank); ++source) posted_.emplace_back(most);
}

void Matcher::cancel(Receive& receive) {
  remove(receive);
  receive.is_cancelled_ = true;
}

void Matcher::remove(Receive& receive) {
  --open_;
  posted_for(receive.wanted_.source).remove(receive);
}

void Matcher::finish(Receive& receive, Arrival&& arrival) {
  receive.complete(std::move(arrival));
  receive.done_ = !receive.goes_on_;
}

void Matcher::answer(int source, AnswerNumber number) {
  stream_few_at_once_to(rank_, source, context_of(answer_channel, Form::content), number, nullptr, 0);
}

Message* Matcher::take_kept(const Wanted& wanted) {
  if (kept_.size() == 0) return nullptr;
  const std::uint64_t context = in_stream(wanted.channel);
  if (wanted.source != any_source && wanted.tag != any_tag)
    return kept_.take(wanted.source, context, static_cast<std::uint64_t>(wanted.tag));
  const Message* const first = find_kept(wanted);
  return first ? kept_.take(first->envelope.source, context, first->envelope.sequence) : nullptr;
}

const Message* Matcher::find_kept(const Wanted& wanted) const {
  if (kept_.size() == 0) return nullptr;
  if (wanted.source != any_source && wanted.tag != any_tag)
    return kept_.find(wanted.source, in_stream(wanted.channel), static_cast<std::uint64_t>(wanted.tag));
  const Message* first = nullptr;
  kept_.for_each([&](const Message& message) {
    const Envelope& envelope = message.envelope;
    if (wants(wanted, channel_of(envelope.context), envelope.source, static_cast<int>(envelope.sequence)) &&
        (!first || message.position < first->position))
      first = &message;
  });
  return first;
}

const Message& Matcher::wait_for_kept(const Wanted& wanted) {
  const int source = wanted.source == any_source ? any_rank : wanted.source;
  const InWait in_wait(rank_, {}, wanted.tag == any_tag ? any_waited_tag : wanted.tag);
  const Message* found = nullptr;
  wait_for_streams(rank_, source, [&] {
    progress(wanted.source, nullptr);
    found = find_kept(wanted);
    return found != nullptr;
  });
  return *found;
}

Buffer Matcher::take_out(const Wanted& wanted) { return Buffer(take_kept(wanted)); }

void Matcher::complete(Receive& receive, Buffer&& taken) {
  finish_with(receive, std::move(taken));
  if (!receive.done_) post(receive);
}

void Matcher::finish_with(Receive& receive, Buffer&& taken) {
  Message& message = *taken.get();
  const Envelope envelope = message.envelope;
  const Form form = form_of_kept(message);
  const AnswerNumber number =
      form == Form::synchronous ? number_in(message.payload(), envelope.bytes) : AnswerNumber{0};
  finish(receive, {envelope.source, static_cast<int>(envelope.sequence), form, message.payload(),
                   envelope.bytes, std::move(taken)});
  if (form == Form::synchronous) [[unlikely]]
    answer(envelope.source, number);
}

void Matcher::post(Receive& receive) {
  while (Message* const message = take_kept(receive.wanted_)) {
    finish_with(receive, Buffer(message));
    if (receive.done_) return;
  }
  ++open_;
  receive.is_cancelled_ = false;
  receive.number_ = posts_++;
  posted_for(receive.wanted_.source).add(receive);
}

Receive* Matcher::receiver_of(std::uint32_t channel, int source, int tag) {
  Receive* const one = posted_for(source).first_for(channel, source, tag);
  Receive* const other = posted_for(any_source).first_for(channel, source, tag);
  Receive* const first = one && (!other || one->number_ < other->number_) ? one : other;
  if (first) remove(*first);
  return first;
}

void Matcher::progress_from(int source, const Receive* until) {
  while (!until || !until->done_) {
    const std::optional<Streamed> next = next_from(rank_, source);
    if (!next) return;
    const std::uint32_t channel = channel_of(next->context);
    const int tag = static_cast<int>(next->word);
    const Form form = form_of(next->context);
    if (Receive* const receive = receiver_of(channel, source, tag)) {
      const bool is_answered = form == Form::synchronous;
      const AnswerNumber number = is_answered ? number_in(next->payload, next->bytes) : AnswerNumber{0};
      Arrival arrival{source, tag, form, next->payload, next->bytes};
      if (next->memory) {
        arrival.memory = take_next(rank_, source, *next);
        finish(*receive, std::move(arrival));
      } else {
        finish(*receive, std::move(arrival));
        drop_next(rank_, source, *next);
      }
      if (is_answered) [[unlikely]]
        answer(source, number);
      if (!receive->done_) [[unlikely]]
        post(*receive);
      continue;
    }
    Buffer unexpected = detach_next(rank_, source, *next);
    // The sender on another machine may wait for room, and with it the one that this rank waits for.
    if (!shares_memory(rank_, source)) take_off_flight(rank_, unexpected);
    Message* const message = unexpected.take();
    message->envelope.context = in_stream(channel);
    message->envelope.sequence = static_cast<std::uint64_t>(tag);
    message->position = arrivals_++ << 8 | static_cast<std::uint8_t>(form);
    kept_.put(message);
  }
}

void Matcher::progress(int source, const Receive* until) {
  if (source != any_source) return progress_from(source, until);
  const int ranks = team_size(rank_);
  for (int i = 0; i < ranks && (!until || !until->done_); ++i) {
    // Another one first each time, so that none is always served before the others.
    if (++turn_ >= ranks) turn_ = 0;
    progress_from(turn_, until);
  }
}

void Matcher::begin_to_mind_others() {
  minds_others_ = true;
  set_while_waiting(rank_, [this] { progress_others(); });
}

void Matcher::progress_others() {
  // Where several threads wait for one receive, others may be open nevertheless.
  if (open_ <= awaited_ && !rank_.waits.turns) return;
  if (posted_for(any_source).count() > 0) return progress(any_source, nullptr);
  for (int source = 0; source < team_size(rank_); ++source)
    if (posted_for(source).count() > 0) progress_from(source, nullptr);
}

void Matcher::rest(Receive& receive) {
  constexpr int most_vain_looks = 1000;
  if (!look_in_vain(rank_, awaited(receive))) return;
  // It may have come before that end.
  progress(receive.wanted_.source, &receive);
  if (receive.done_ || ++receive.vain_looks_ < most_vain_looks) return;
  const InWait in_wait(rank_, receive.posted_, shown_tag(receive));
  fail_waiting(rank_, awaited(receive));
}

void Matcher::wait(Receive& receive) {
  wait_until(receive, [] { return false; });
}

void Matcher::wait_until(Receive& receive, bool (*is_enough)(void* what), void* what) {
  const InWait in_wait(rank_, receive.posted_, shown_tag(receive));
  const auto is_over = [&] { return receive.done_ || receive.is_cancelled_ || is_enough(what); };
  ++awaited_;
  do {
    // Once a part has come from some rank, that rank alone can send the others.
    const int source = awaited(receive);
    wait_for_streams(rank_, source, [&] {
      progress(receive.wanted_.source, &receive);
      return is_over() || awaited(receive) != source;
    });
  } while (!is_over());
  --awaited_;
}

}  // namespace kanor::rt
