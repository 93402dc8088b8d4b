// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a block in execution consists of: plain data that Execution's files share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "exchange/arena.hpp"
#include "exchange/ends.hpp"
#include "exchange/peer_list.hpp"
#include "exchange/place_groups.hpp"
#include "exchange/team_state.hpp"
#include "job/step.hpp"
#include "kanor/abi/core.hpp"
#include "kanor/team.hpp"
#include "plan/collective_form.hpp"
#include "transport/rank.hpp"

namespace kanor::abi {
class block;
class region_handle;
}  // namespace kanor::abi

namespace kanor::rt {

namespace plan {
class Plan;
}

/// One execution of a block by a team.
struct BlockInstance {
  abi::site site{};
  Step step = Step::block;
  abi::knows knows = abi::knows::both;
  bool copies = false;       ///< the block shares no memory between ranks
  bool resumed = false;      ///< this is the second half of a pending exchange
  std::uint32_t number = 0;  ///< of a pending exchange among those of the rank, modulo 2^32
  kanor::team held;          ///< keeps the team's state alive
  const TeamState* team = nullptr;
  std::uint64_t sequence = 0;  ///< of this execution in its team
};

/// The header of a message, before the values: enough to notice ranks that do not agree on what they
/// exchange.
struct MessageHead {
  std::uint32_t line;    ///< of the block; or `fence`
  std::uint32_t values;  ///< in the message; or `split`, `window`, `pairs`, `collective`

  /// In place of `line`: the message is of a fence, which members may call at different lines.
  static constexpr std::uint32_t fence = ~std::uint32_t{0};
  /// In place of `values`: the message is no block's, but of the split of the team at this line.
  static constexpr std::uint32_t split = ~std::uint32_t{0};
  /// In place of `values`: the message is of the opening of a window at this line.
  static constexpr std::uint32_t window = ~std::uint32_t{1};
  /// In place of `values`: the message is of the making of pairs at this line.
  static constexpr std::uint32_t pairs = ~std::uint32_t{2};
  /// In place of `values`: the message is part of a collective operation. The lowest of these numbers.
  static constexpr std::uint32_t collective = ~std::uint32_t{3};
};

/// The head of a message in the collective part of a one-sided block, whose clauses only one side knows.
struct OneSidedHead {
  enum class Kind : std::uint32_t {
    records,          ///< bindings: for each its statement's number, the names' values, and a pushed value
    reply,            ///< the values that records have asked for, in their order
    acknowledgement,  ///< records have arrived
    barrier           ///< + the round: see DisseminationBarrier
  };
  MessageHead head;
  std::uint32_t kind;
  std::int32_t from;  ///< the sender's number in the team
};

/// A statement of the block being executed.
struct Statement {
  abi::statement_site where;
  void* operation = nullptr;
  std::size_t first_update = 0, end_update = 0;
  std::size_t first_name = 0;           ///< in names_, `name_count` for each update
  plan::Plan* plan = nullptr;           ///< in use
  const abi::receiving* how = nullptr;  ///< null while this rank receives nothing
  int name_count = 0;
  /// The collective operation that the statement is by its form: other ranks find the same, and agree on the
  /// algorithm.
  std::optional<plan::Collective> form{};
  /// In a one-sided block: calls `function`, the user's, for a binding that has come from the other side.
  void (*evaluate)(abi::block& owner, const void* function, int peer) = nullptr;
  const void* function = nullptr;
};

/// Elements that a message points to.
struct LentElements {
  std::size_t outgoing;  ///< number in the outbox
  std::size_t at;        ///< the address's offset in the message
  const std::byte* elements;
  std::size_t bytes;
};

/// A message received from a member, and how far it has been read.
struct PeerMessage {
  int peer = 0;              ///< the sender's number in the team
  std::uint32_t values = 0;  ///< taken so far
  int statement = -1;        ///< of the record that comes next; -1: none
  std::size_t at = 0;
  bool lends = false;
  Buffer message;
};

/// The statements of a block, with the bindings of which this rank is the receiver.
struct Bindings {
  const abi::site* block;
  std::span<const Statement> statements;
  std::span<const Update> updates;
  std::span<const abi::named_value> names;
};

/// A received value, in place in its message: not yet an object if it is an archive.
struct Arrived {
  void* data = nullptr;
  std::size_t count = 0;  ///< elements of a sequence, bytes of an archive
  bool archived = false;
  bool in_region = false;  ///< `data` is the object's address
};

/// A value that is to be folded.
struct Contribution {
  std::size_t at;
  Arrived value;
};

/// What folds have used before, so that they allocate nothing.
struct FoldMemory {
  PlaceGroups groups;
  std::vector<Contribution> contributions;
  std::vector<Buffer> results;  ///< the memory of result_room()
};

/// The statement and the binding at work: the one that is evaluated, or whose update is being done.
struct Progress {
  std::size_t current = 0;               ///< the statement whose bindings are evaluated
  std::vector<abi::named_value> names;   ///< of the binding that is evaluated
  const Statement* statement = nullptr;  ///< of the update; null: none is being done
  std::size_t update = 0;
  std::size_t earlier = 0;  ///< the update whose value is folded with that of `update`
};

/// This rank's value for a collective operation, if it has one.
struct Captured {
  Buffer copy;                ///< empty if the value is read where it lies
  std::byte* data = nullptr;  ///< null: there is none
  std::size_t bytes = 0;
  std::size_t alignment = 1;
  std::size_t element_bytes = 0;                 ///< of a sequence
  const abi::region_handle* variable = nullptr;  ///< the variable, in a region, whose value it is
  abi::region_value in_region{};
  std::vector<int> receivers;
  explicit operator bool() const { return data != nullptr; }
};

/// The collective operation that the block's one statement is, if it is one.
struct CollectiveState {
  std::optional<plan::CollectiveForm> form;
  Captured captured;
};

/// Lending: elements that receivers read in the sender's memory, see lent.cpp.
struct Lending {
  bool lends = false;    ///< the block may lend
  bool borrows = false;  ///< this rank reads what others have lent
  std::vector<LentElements> loans;
  std::vector<Buffer> enclosed;  ///< copies that the messages point to, or of what is read-only here
  void clear() {
    if (!loans.empty()) loans.clear();
    if (!enclosed.empty()) enclosed.clear();
    lends = borrows = false;
  }
};

/// The memory of a buffer that is given away.
struct Gift : abi::gift {
  std::uint32_t references = 1;
};

/// Variables and buffers that the rank gives away when all values have been evaluated, in the order of
/// evaluation.
struct Giving {
  std::vector<abi::region_handle*> variables;
  std::list<Gift> buffers;
  bool empty() const { return variables.empty() && buffers.empty(); }
};

/// An update whose place moves with the elements of a sequence.
struct Follower : abi::follower {
  std::size_t at;
};

/// An update whose place no longer exists, because an update made a sequence shorter: its place is null.
struct Lost {
  std::size_t at;
  static constexpr std::size_t no_element = ~std::size_t{0};
  std::size_t index;  ///< the element's; no_element: it was another part of a value
  std::size_t length_before, length;
};

/// Places that move while a block's updates are done.
struct Following {
  std::vector<Follower> met;                      ///< those in the storage that is being assigned to
  std::multimap<const void*, Follower> by_place;  ///< once a place's elements have moved
  std::vector<Lost> lost;
  void clear() {
    if (by_place.empty() && lost.empty()) return;
    by_place.clear();
    lost.clear();
  }
};

/// What a one-sided block waits for: a member owes an acknowledgement or a reply.
struct Outstanding {
  int peer = 0;
  bool has_come = false;
};

/// The state of a one-sided block: see one_sided.cpp.
struct OneSided {
  std::vector<Arrived> arrived;    ///< the updates' values, where the sender knows
  PeerMessage* reading = nullptr;  ///< the message whose record is being read
  PeerList<Outstanding> outstanding;
  std::size_t settled = 0, first_outstanding = 0;
  Buffer own_records;
  void clear() {
    arrived.clear();
    outstanding.clear();
    settled = first_outstanding = 0;
  }
};

/// A value that an async block has sent, in place: nothing is known of its storage if `extents` is null.
struct SentValue {
  const void* value;
  void (*extents)(const void*, const abi::extent_sink&);
  std::size_t statement;
  std::uint64_t checksum;
};

/// Checked mode: values and places that must not change until a pending exchange ends.
struct Lasting {
  std::vector<SentValue> sent;
  std::vector<std::uint64_t> checksums;  ///< of the updates' places when the exchange was started
  void clear() {
    if (!sent.empty()) sent.clear();
    if (!checksums.empty()) checksums.clear();
  }
};

/// Memory and objects that live until the block ends.
class Kept {
 public:
  /// Returns zeroed memory.
  void* allocate(std::size_t bytes, std::size_t alignment) { return arena_.allocate(bytes, alignment); }
  /// Calls `destroy` for the object when the block ends; what was added last is destroyed first.
  void add(void* object, void (*destroy)(void*)) {
    last_ = ::new (arena_.allocate(sizeof(Object), alignof(Object))) Object{object, destroy, last_};
  }

  /// Moves everything to the result; this is empty then.
  Kept take() {
    Kept taken;
    taken.arena_ = arena_.take();
    taken.last_ = std::exchange(last_, nullptr);
    return taken;
  }
  void clear() {
    while (const Object* const object = last_) {
      last_ = object->before;
      object->destroy(object->address);
    }
    arena_.clear();
  }

 private:
  struct Object {
    void* address;
    void (*destroy)(void*);
    Object* before;
  };
  Arena arena_;
  Object* last_ = nullptr;  ///< in the arena
};

}  // namespace kanor::rt
