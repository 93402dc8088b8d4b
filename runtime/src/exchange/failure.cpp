// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a failed exchange says: the statement, the binding's names with their values, and what was seen.
#include <algorithm>

#include "exchange/blocks.hpp"
#include "exchange/execution.hpp"
#include "exchange/named_values.hpp"
#include "transport/rank_state.hpp"

namespace kanor::rt {

std::string Execution::member_text(int member) const {
  const std::string text = "rank " + std::to_string(member);
  return instance_.team->world_ranks
             ? text + " of the team (" + std::to_string(instance_.team->world_rank(member)) + " of the world)"
             : text;
}

std::string Execution::statement_text(const Statement& statement, const abi::named_value* names,
                                      int name_count) const {
  return statement_text(instance_.site, statement, names, name_count);
}

std::string Execution::statement_text(const abi::site& block, const Statement& statement,
                                      const abi::named_value* names, int name_count) {
  const Rank* const rank = here_or_null();
  const bool is_of_library = rank && rank->page.in_function.load(std::memory_order_relaxed) &&
                             rank->page.file.load(std::memory_order_relaxed) == block.file;
  const std::string place = std::string(block.file) + ":" + std::to_string(statement.where.line);
  std::string text = is_of_library ? place_text(rank->page) + ": in the library's block at " + place
                                   : place + ": in '" + std::string(statement.where.text) + "'";
  if (name_count > 0) text += " for " + names_text(statement.where.names, names, name_count);
  return text;
}

void Execution::fail_ranks(abi::named_value receiver, abi::named_value sender, const abi::named_value* names,
                           int name_count) {
  const auto outside = [&](const abi::named_value& value) {
    if (value.what() == abi::named_value::kind::unsigned_integer)
      return value.as_unsigned() >= static_cast<unsigned long long>(size());
    return value.as_signed() < 0 || value.as_signed() >= size();
  };
  const bool receiver_is_wrong = outside(receiver);
  std::string text = statement_text(current(), names, name_count);
  text += receiver_is_wrong ? ", the receiver's rank is " + text_of(receiver)
                            : ", the sender's rank is " + text_of(sender);
  text += ", but the team has " + std::to_string(size()) + (size() == 1 ? " rank" : " ranks");
  text += size() == 1 ? ": 0" : ": 0 to " + std::to_string(size() - 1);
  const std::string_view source = current().where.text;
  const abi::named_value& wrong = receiver_is_wrong ? receiver : sender;
  const bool is_negative = wrong.what() != abi::named_value::kind::unsigned_integer && wrong.as_signed() < 0;
  if (is_negative && source.find('%') != std::string_view::npos)
    text += "; '%' of a negative number is negative: add the number of ranks before it";
  else if (!is_negative && size() < blocks_.world().size && source.find("in world") != std::string_view::npos)
    text += "; 'world' is the team of all ranks: use the block's team";
  fail(text);
}

std::string text_of(const MessageHead& head, const Rank& rank, int sender) {
  const std::string at_line = " at line " + std::to_string(head.line);
  if (head.values == MessageHead::split) return doing(Step::split) + at_line;
  if (head.values == MessageHead::window) return doing(Step::window) + at_line;
  if (head.values == MessageHead::pairs) return doing(Step::pairs) + at_line;
  if (head.line == MessageHead::fence) return doing(Step::fence);
  if (const Control& control = rank.home.control; control.has(sender)) {
    const RankPage& page = control.page(sender);
    const bool has_left = page.line.load(std::memory_order_relaxed) != static_cast<int>(head.line);
    return has_left ? "was in the block" + at_line : "is in " + place_text(page);
  }
  return "is in the block" + at_line;
}

void Execution::fail_order(int from, const MessageHead& head) const {
  settle_checks();
  if (head.line == head_line() && head.values <= MessageHead::collective)
    fail(member_text(from) + " and " + member_text(rank()) + " do not agree on what the block at " +
         place_of(instance_.site) + " exchanges");
  const RankPage& page = owner_->page;
  const bool is_in_it = page.line.load(std::memory_order_relaxed) == static_cast<int>(instance_.site.line);
  fail(member_text(from) + " " + text_of(head, *owner_, instance_.team->world_rank(from)) +
       " while this rank is in " +
       (is_in_it ? place_text(page)
                 : "the " + std::string(name_of(instance_.step)) + " at " + place_of(instance_.site)) +
       ": all members of a team must execute the same sequence of blocks and splits");
}

void Execution::fail_sending(const char* what) {
  fail(statement_text(current(), nullptr, 0) + ", the value " + what + " " +
       member_text(outbox_.current().peer));
}

std::string Execution::binding_text(const Statement& statement, std::size_t at) const {
  const std::size_t first =
      statement.first_name + (at - statement.first_update) * static_cast<std::size_t>(statement.name_count);
  return names_text(statement.where.names, names_.data() + first, statement.name_count);
}

void Execution::fail_fold_lengths(std::size_t earlier_length, std::size_t length) {
  const auto whose = [&](std::size_t at) { return member_text(updates_[at].sender); };
  const std::string earlier = binding_text(*progress_.statement, progress_.earlier);
  fail_updating("the value of " + whose(progress_.update) + " has length " + std::to_string(length) +
                ", but that of " + whose(progress_.earlier) + (earlier.empty() ? "" : " for " + earlier) +
                " has length " + std::to_string(earlier_length) +
                ", so they cannot be reduced element by element");
}

void Execution::settle_checks() const {
  if (Checks* const checks = blocks_.checks()) checks->settle();
}

void Execution::fail_too_few(const PeerMessage& in) {
  settle_checks();
  fail_updating(member_text(in.peer) + " sent fewer values than this rank expects of it");
}

void Execution::fail_lost(std::size_t at) {
  const auto lost = std::find_if(following_.lost.begin(), following_.lost.end(),
                                 [&](const Lost& one) { return one.at == at; });
  if (lost->index == Lost::no_element)
    fail_updating(
        "the place is part of a value that an earlier update of this block has replaced, and the new one has "
        "no such part");
  fail_updating("the place is element " + std::to_string(lost->index) +
                ", but an earlier update of this block has changed the length from " +
                std::to_string(lost->length_before) + " to " + std::to_string(lost->length));
}

// Of a binding that has come from the other side only those names are known that have come with it.
std::string Execution::evaluated_text() {
  Statement evaluated = current();
  if (one_sided_.reading) evaluated.where.names = evaluated.where.carried;
  return statement_text(evaluated, progress_.names.data(), static_cast<int>(progress_.names.size()));
}

void Execution::fail_updating(const std::string& what) {
  if (!progress_.statement && statements_.empty()) fail(what);
  if (!progress_.statement) fail(evaluated_text() + ", " + what);
  fail(update_text(bindings(), progress_.update) + ", " + what);
}

void Execution::fail_exception() {
  const std::string where =
      progress_.statement ? update_text(bindings(), progress_.update) : statement_text(current(), nullptr, 0);
  fail(where + ", an exception left an expression of the block: " + std::string(exception_text().view()));
}

}  // namespace kanor::rt
