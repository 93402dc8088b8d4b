// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/own_messages.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "analysis/calls.hpp"
#include "analysis/liveness.hpp"
#include "analysis/paths.hpp"
#include "analysis/steps.hpp"

namespace kanor::analysis {
namespace {

using Kind = flow::BufferMemory::Kind;
using Role = flow::Message::Role;

struct Reason {
  std::string text;
  flow::Location where;
};

/// What is found out on the messages of all units.
class Decisions {
 public:
  Decisions(const Units& units, const std::string& unseen) : units_(units), unseen_(unseen) {}

  std::vector<OwnMessages> make() {
    const auto groups = groups_of_messages(units_);
    for (const auto& group : groups) find_whole_receives(group);
    judge_ends();
    for (std::size_t before = reasons_.size() + 1; before != reasons_.size();) {
      before = reasons_.size();
      for (const auto& group : groups) judge(group);
      judge_pending();
    }
    std::vector<OwnMessages> made(units_.size());
    for (const auto& group : groups)
      for (const MessageEnd& end : group) {
        const auto found = reasons_.find(key(end));
        MessageDecision decision{end.function, end.message, {}, {}};
        if (found != reasons_.end()) {
          decision.reason = found->second.text;
          decision.where = found->second.where;
        } else {
          made[static_cast<std::size_t>(end.unit)].buffers.emplace_back(end.function, at(end).candidate);
        }
        made[static_cast<std::size_t>(end.unit)].messages.push_back(std::move(decision));
      }
    for (OwnMessages& one : made) {
      std::sort(one.messages.begin(), one.messages.end(), [](const auto& a, const auto& b) {
        return std::tie(a.function, a.message) < std::tie(b.function, b.message);
      });
      std::sort(one.buffers.begin(), one.buffers.end());
      one.buffers.erase(std::unique(one.buffers.begin(), one.buffers.end()), one.buffers.end());
    }
    return made;
  }

 private:
  using Key = std::tuple<int, int, int>;
  static Key key(const MessageEnd& end) { return {end.unit, end.function, end.message}; }
  const flow::Message& at(const MessageEnd& end) const { return message_at(units_, end); }
  const flow::Function& function_of(const MessageEnd& end) const {
    return units_[static_cast<std::size_t>(end.unit)]->functions[static_cast<std::size_t>(end.function)];
  }
  const flow::Candidate* buffer_of(const MessageEnd& end) const {
    const int candidate = at(end).candidate;
    return candidate < 0 ? nullptr : &function_of(end).candidates[static_cast<std::size_t>(candidate)];
  }

  /// Notes the first reason against an end.
  void refuse(const MessageEnd& end, std::string text, flow::Location where = {}) {
    reasons_.try_emplace(key(end), Reason{std::move(text), where});
  }

  /// Returns true if the message is as long as the buffer.
  bool is_whole(const MessageEnd& end) const {
    const flow::Message& message = at(end);
    const flow::Candidate& buffer = *buffer_of(end);
    if (message.count.value && buffer.bytes >= 0)
      return message.type_bytes > 0 && *message.count.value == buffer.bytes / message.type_bytes &&
             buffer.bytes % message.type_bytes == 0;
    return !message.count.words.empty() && message.count.words == buffer.memory.extent &&
           message.type_bytes == buffer.memory.element_bytes;
  }

  bool passes_the_same(const MessageEnd& one, const MessageEnd& other) const {
    return at(one).type && at(one).type == at(other).type && is_same_number(units_, one, other);
  }

  /// Finds the receives that overwrite all of their buffers: of a constant length, from a rank that exists,
  /// and all messages that may match are as long. One that fails ends the program.
  void find_whole_receives(const std::vector<MessageEnd>& group) {
    if (std::any_of(units_.begin(), units_.end(), [](const auto* unit) { return unit->errors_return; }))
      return;
    for (const MessageEnd& end : group) {
      if (at(end).role != Role::receive || buffer_of(end) == nullptr || !at(end).has_partner ||
          !at(end).count.value || !is_whole(end) || !unseen_.empty())
        continue;
      if (std::all_of(group.begin(), group.end(), [&](const MessageEnd& other) {
            return at(other).role == Role::receive || passes_the_same(end, other);
          }))
        overwrites_.push_back(key(end));
    }
  }

  void judge_ends() {
    for (std::size_t unit = 0; unit < units_.size(); ++unit) {
      const flow::FlowGraph& graph = *units_[unit];
      const Calls calls(graph);
      for (std::size_t function = 0; function < graph.functions.size(); ++function) {
        const auto& messages = graph.functions[function].messages;
        for (std::size_t message = 0; message < messages.size(); ++message)
          judge({static_cast<int>(unit), static_cast<int>(function), static_cast<int>(message)});
        for (std::size_t buffer = 0; buffer < graph.functions[function].candidates.size(); ++buffer)
          judge_buffer(static_cast<int>(unit), static_cast<int>(function), static_cast<int>(buffer), calls);
      }
    }
  }

  /// Notes what an end itself has against it.
  void judge(const MessageEnd& end) {
    const flow::Message& message = at(end);
    if (!message.obstacle.empty()) refuse(end, message.obstacle);
    for (const flow::FlowGraph* graph : units_)
      if (!graph->message_obstacles.empty())
        refuse(end, graph->message_obstacles.front().second, graph->message_obstacles.front().first);
    if (!unseen_.empty()) refuse(end, unseen_);
    if (message.has_none) refuse(end, "it is with MPI_PROC_NULL, and does nothing");
    const flow::Candidate* const buffer = buffer_of(end);
    if (buffer == nullptr) return;
    const std::string name = name_of(end, *buffer);
    for (const auto* all : {&buffer->obstacles, &buffer->text_obstacles})
      for (const auto& [why, where] : *all) refuse(end, "'" + name + "' cannot change hands: " + why, where);
    if (message.role == Role::receive && !is_whole(end))
      refuse(end, "it is not known to fill all of '" + name + "'");
    const long long bytes = message.count.value ? *message.count.value * message.type_bytes : -1;
    if ((bytes >= 0 && bytes < least_passed_bytes) ||
        (buffer->bytes >= 0 && buffer->bytes < least_passed_bytes))
      refuse(end, "'" + name + "' is copied faster than it changes hands");
  }

  std::string name_of(const MessageEnd& end, const flow::Candidate& buffer) const {
    return units_[static_cast<std::size_t>(end.unit)]
        ->variables[static_cast<std::size_t>(buffer.variable)]
        .name;
  }

  /// Notes what the uses of a buffer have against its messages.
  void judge_buffer(int unit, int index, int candidate, const Calls& calls) {
    const flow::FlowGraph& graph = *units_[static_cast<std::size_t>(unit)];
    flow::Function function = graph.functions[static_cast<std::size_t>(index)];
    for (flow::Node& node : function.nodes)
      for (flow::Access& access : node.accesses)
        if (access.kind == flow::AccessKind::receive && access.message >= 0)
          access.by_all_ranks = std::find(overwrites_.begin(), overwrites_.end(),
                                          Key{unit, index, access.message}) != overwrites_.end();
    const flow::Candidate& buffer = function.candidates[static_cast<std::size_t>(candidate)];
    const std::string name = graph.variables[static_cast<std::size_t>(buffer.variable)].name;
    const auto refuse_all = [&](const std::string& why, const flow::Location& where) {
      for (std::size_t message = 0; message < function.messages.size(); ++message)
        if (function.messages[message].candidate == candidate)
          refuse({unit, index, static_cast<int>(message)}, why, where);
    };
    const Steps steps(function, buffer, calls);
    for (const flow::Access* escape : steps.escapes) {
      const std::string why =
          escape->kind == flow::AccessKind::call ? calls.of(*escape).reason : escape->reason;
      refuse_all("'" + name + "' may be used in another way: " + why, escape->at);
    }
    if (buffer.memory.kind == Kind::allocated)
      for (std::size_t at = 0; at < steps.all.size(); ++at) {
        const flow::Access* const access = steps.all[at].access;
        if (steps.all[at].kind != StepKind::receive ||
            !function.messages[static_cast<std::size_t>(access->message)].call.starts_with("MPI_I"))
          continue;
        if (const auto where = end_before_free(steps, static_cast<int>(at)))
          refuse({unit, index, access->message},
                 "it may still be under way when '" + name +
                     "' is set again or goes out of scope: not every path frees '" + name + "' before",
                 *where);
      }
    auto live = live_before(steps);
    const int entry = steps.first[static_cast<std::size_t>(function.entry)];
    // The next call of the function finds in a static buffer what this one has left there.
    const bool is_kept = buffer.memory.kind == Kind::lasting && live[static_cast<std::size_t>(entry)] &&
                         !buffer.memory.ends_with_main;
    const auto dead = dead_sends(steps, live);
    for (std::size_t at = 0; at < steps.all.size(); ++at) {
      const int step = static_cast<int>(at);
      if (steps[step].kind != StepKind::send) continue;
      const MessageEnd end{unit, index, steps[step].access->message};
      if (!steps.is_reached[at]) refuse(end, "it is never executed");
      if (is_kept) refuse(end, "'" + name + "' may be read before it is written in the next call");
      if (std::binary_search(dead.begin(), dead.end(), step)) continue;
      refuse(end, "'" + name + "' is read again before all of it is written", next_read(steps, step));
    }
  }

  /// Refuses all messages of a buffer of which one that is copied may still be under way when the call
  /// returns.
  void judge_pending() {
    for (std::size_t unit = 0; unit < units_.size(); ++unit)
      for (std::size_t at = 0; at < units_[unit]->functions.size(); ++at) {
        const auto& messages = units_[unit]->functions[at].messages;
        const auto end = [&](std::size_t message) {
          return MessageEnd{static_cast<int>(unit), static_cast<int>(at), static_cast<int>(message)};
        };
        for (std::size_t copied = 0; copied < messages.size(); ++copied) {
          if (messages[copied].candidate < 0 || !messages[copied].call.starts_with("MPI_I") ||
              !reasons_.contains(key(end(copied))))
            continue;
          for (std::size_t other = 0; other < messages.size(); ++other)
            if (messages[other].candidate == messages[copied].candidate)
              refuse(end(other), "'" + messages[copied].call + "' copies its buffer", messages[copied].at);
        }
      }
  }

  /// Where the pointer may be set again, or end, after the step, without what it leads to having been freed:
  /// until then the receive that begins there may still fill that. Nothing if that may not be.
  static std::optional<flow::Location> end_before_free(const Steps& steps, int step) {
    using Pointer = flow::Access::Pointer;
    const auto does = [&](int at, Pointer what) {
      return steps[at].access != nullptr && steps[at].access->pointer == what;
    };
    const auto reached =
        reached_from(steps.next, {step}, [&](int next) { return !does(next, Pointer::is_freed); });
    for (std::size_t at = 0; at < steps.all.size(); ++at)
      if (reached[at] && does(static_cast<int>(at), Pointer::is_set)) return steps.all[at].access->at;
    const bool ends =
        reached[static_cast<std::size_t>(steps.first[static_cast<std::size_t>(steps.function().exit)])];
    return ends && !steps.candidate().memory.ends_with_main ? std::optional(flow::Location{}) : std::nullopt;
  }

  /// The first use of the content that is found after the step.
  static flow::Location next_read(const Steps& steps, int step) {
    const auto reached = reached_from(steps.next, {step}, [&](int next) { return !steps[next].ends_value; });
    for (std::size_t at = 0; at < steps.all.size(); ++at) {
      const StepKind kind = steps.all[at].kind;
      if (reached[at] && (kind == StepKind::read || kind == StepKind::send)) return steps.all[at].access->at;
    }
    return {};
  }

  /// Notes what the ends of a group have against each other.
  void judge(const std::vector<MessageEnd>& group) {
    const auto direct = [&](const MessageEnd& one, const MessageEnd& other) {
      return may_match(at(one), at(other)) || may_match(at(other), at(one));
    };
    const auto relation = [&](const MessageEnd& one, const MessageEnd& other) {
      return "'" + at(other).call +
             (direct(one, other) ? "' may match it, and " : "' may match the same messages, and ");
    };
    std::optional<MessageEnd> refused;
    for (const MessageEnd& end : group)
      if (!refused && reasons_.contains(key(end))) refused = end;
    for (const MessageEnd& end : group) {
      const auto partner = std::find_if(group.begin(), group.end(),
                                        [&](const MessageEnd& other) { return direct(end, other); });
      if (partner == group.end()) {
        refuse(end, at(end).role == Role::send ? "no receive of the program takes it"
                                               : "no send of the program is for it");
        continue;
      }
      for (const MessageEnd& other : group) {
        if (passes_the_same(end, other)) continue;
        refuse(end, relation(end, other) + "is not known to have as many elements of the same datatype",
               at(other).at);
        break;
      }
    }
    if (!refused)
      for (const MessageEnd& end : group)
        if (!refused && reasons_.contains(key(end))) refused = end;
    if (!refused) return;
    for (const MessageEnd& end : group) refuse(end, relation(end, *refused) + "copies", at(*refused).at);
  }

  const Units& units_;
  const std::string& unseen_;
  std::vector<Key> overwrites_;
  std::map<Key, Reason> reasons_;
};

}  // namespace

std::vector<OwnMessages> pass_ownership(const Units& units, const std::string& unseen) {
  return Decisions(units, unseen).make();
}

}  // namespace kanor::analysis
