// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block in execution: evaluated values go into one message for each receiver, places wait for theirs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectives/choice.hpp"
#include "collectives/collectives.hpp"
#include "exchange/block_state.hpp"
#include "exchange/index_lists.hpp"
#include "exchange/outbox.hpp"
#include "exchange/peer_list.hpp"
#include "exchange/short_messages.hpp"
#include "exchange/update_list.hpp"
#include "job/failure.hpp"
#include "kanor/abi/core.hpp"
#include "kanor/abi/leaf.hpp"
#include "kanor/team.hpp"
#include "ownership/counters.hpp"
#include "plan/collective_form.hpp"
#include "transport/rank.hpp"

namespace kanor::abi {
class binder_base;
class block;
class buffer_memory;
class region_handle;
struct region_exchange;
}  // namespace kanor::abi

namespace kanor::rt {

namespace plan {
class Plan;
enum class Side : unsigned char;
}  // namespace plan

class Blocks;
class DisseminationBarrier;
class PendingExchange;

/// The place as text: "ring.cpp:6".
std::string place_of(const abi::site& site);

/// What `sender`, a rank of the world, does, from which `rank` has this head: "is in the block at
/// ring.cpp:6". Without the file if the sender's page cannot be read, or it has left: "was in the block at
/// line 6".
std::string text_of(const MessageHead& head, const Rank& rank, int sender);

/// The execution of a block by one rank. Belongs to the rank's Blocks, which uses it for one block after the
/// other, so that a block allocates nothing once the vectors have grown. Ranks are numbers of the block's
/// team.
class Execution {
 public:
  Execution(Blocks& blocks, Rank& rank) : blocks_(blocks), owner_(&rank) {}
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  ~Execution();

  int rank() const { return instance_.team->rank; }
  int size() const { return instance_.team->size; }
  const abi::site& block() const { return instance_.site; }

  /// Takes the team's next sequence number, and keeps the team until the execution ends. `step`: a block or a
  /// fence, which is executed as a block is. `copy`: the block
  /// shares no memory between ranks.
  void start_block(const abi::site& block, Step step, const kanor::team& team, TeamState& state,
                   abi::knows knows, bool copy);
  void begin(const abi::statement_site& where, void* operation);
  /// Makes the statement that has begun a one-sided one: `how` as in Statement.
  void set_one_sided(void (*evaluate)(abi::block&, const void*, int), const void* function,
                     const abi::receiving* how);
  /// The plan for the statement that has begun, until the next one begins; null if the rank goes through all
  /// bindings.
  /// `known`: the plan for these leaves, if somebody has found it; else null.
  plan::Plan* plan(std::span<const abi::leaf> leaves, plan::Plan* known = nullptr);
  /// As plan(), for a one-sided statement, whose bindings the rank looks for on that side.
  plan::Plan* plan_of(std::span<const abi::leaf> leaves, plan::Side side);
  void enumerate(void (*visit)(const void* bindings, abi::binder_base& binder), const void* bindings,
                 abi::binder_base& binder);
  void* keep(std::size_t bytes, std::size_t alignment, void (*destroy)(void*));
  /// Returns room for the list of a section's indices that is being made, with those that it has.
  long long* room_for_indices(std::size_t count) { return index_lists_.room(count); }
  /// Returns that list in memory that lives until the block ends, the same for equal lists.
  const long long* keep_indices(std::size_t count) { return index_lists_.keep(count, kept_); }
  /// Checked mode: fails if that list has an index twice.
  void check_listed_once(std::size_t count);

  /// Notes that the statement that has begun is this collective operation, if it remains the block's only
  /// one.
  void consider_collective(const std::optional<plan::CollectiveForm>& form) {
    if (form && statements_.size() == 1) consider(*form);
  }
  /// Notes in the plan that the block's one statement exchanges the same values with the same ranks whenever
  /// its leaves are these.
  void note();
  /// Called before run(): notes if the block's one statement, which `statement` stands for, exchanges few
  /// plain values.
  void note_few(const void* statement);
  /// Executes the rest of a repeated block that has received another message than it expects.
  void take_value(const abi::region_exchange& block, int sender, Buffer message);
  /// Takes a message of a member, or this rank's to itself, if it has been received outside.
  void take_message(int sender, Buffer message);

  /// Keeps the value, and returns true, if the block may be a collective operation; else the value is to be
  /// put.
  bool capture(int receiver, const void* data, std::size_t bytes, std::size_t alignment) {
    return collective_.form && capture_value(receiver, data, bytes, alignment);
  }
  /// As capture(), for a sequence. The elements are to be written to `room`; if that is null they have been
  /// kept already.
  bool capture_sequence(int receiver, std::size_t count, std::size_t element_bytes,
                        std::size_t element_alignment, std::byte*& room);

  // Sending. Plain values and places are also added at these ends, without a call.
  MessageEnd& message_end() { return outbox_.end(); }
  UpdateEnd& update_end() { return updates_.end_of_list(); }
  /// Puts the elements' address, if the receiver reads them there before the block ends here, or keeps it for
  /// the collective operation. Returns false if the elements are to be put.
  bool lend(int receiver, const void* elements, std::size_t count, std::size_t element_bytes,
            std::size_t alignment);
  /// Opens the message to the receiver for one more value, which will take about `value_bytes`.
  void open(int receiver, std::size_t value_bytes = 0);
  Outbox& outbox() { return outbox_; }
  bool by_pointer(int receiver) const {
    return shares_addresses(*owner_, instance_.team->world_rank(receiver));
  }
  /// The object of a variable in a region whose value is sent.
  const void* object_of(const abi::region_handle& variable);
  /// Puts a reference to the variable's region into the message to the receiver, if that shares it, or keeps
  /// the value for the collective operation. Returns false if the value is to be put, as captured values and
  /// others are.
  bool put_region(int receiver, const abi::region_handle& variable, const abi::region_value& value);
  /// Room for the fold of other ranks' values; null if it is to be in a region of its own.
  void* result_room(std::size_t bytes, std::size_t alignment);
  /// Returns true if a value that nobody reads again moves to the receiver. Few bytes are sent faster as a
  /// copy.
  bool moves_objects(int receiver) const;
  bool moves_elements(int receiver, std::size_t bytes);
  void put_moved(int receiver, void* object, std::size_t bytes);
  /// As put_moved(), for `std::move(b)`: the memory is the block's from the first binding on. `elements`
  /// becomes what was in it. Returns false if the elements are to be put.
  bool put_given(int receiver, abi::buffer_memory& buffer, std::size_t element_bytes, abi::term& elements);
  /// Ends the job if the buffer is empty because a block has given its memory away.
  void check_given(const abi::buffer_memory& buffer);
  /// Sets the names' values of the binding that is evaluated next, for messages.
  void evaluating(const abi::named_value* names, int name_count) {
    progress_.names.assign(names, names + name_count);
  }

  /// Begins the record of a binding in the message to `peer`, which brings a value or asks for one.
  void begin_record(int peer);

  // Receiving.
  /// Reads the next name's value of the binding that is being read.
  abi::term take_name(const abi::travelling& how);
  void add(void* place, int sender, const abi::receiving& how, const abi::named_value* names, int name_count);

  /// Ends the statement that has begun: it has no more bindings.
  void end_statement();

  /// Checked mode: notes the value that the current binding sends.
  void note_value(const void* value, std::size_t proxy_bytes,
                  void (*extents)(const void*, const abi::extent_sink&));

  /// Executes the rest of the block: sends, waits, updates. The execution is then free for the next block.
  void run();
  /// Sends, and returns the pending exchange. The execution is then free for the next block.
  PendingExchange& start();
  /// Waits and updates: the rest of run(), or of a pending exchange that an execution has taken over.
  void complete();
  Blocks& blocks() const { return blocks_; }

  /// Calls the user's function; an exception of it ends the job.
  template <class Function>
  void call_user(const Function& function);

  // Failure: all of them end the job.
  [[noreturn]] void fail_ranks(abi::named_value receiver, abi::named_value sender,
                               const abi::named_value* names, int name_count);
  [[noreturn]] void fail_sending(const char* what);
  /// Fails in the binding that is being updated, or evaluated.
  [[noreturn]] void fail_updating(const std::string& what);
  /// Fails because of the exception that is being handled: it left the binding at work.
  [[noreturn]] void fail_exception();
  /// Fails because the two values that are being folded differ in length.
  [[noreturn]] void fail_fold_lengths(std::size_t earlier_length, std::size_t length);

 private:
  friend class PendingExchange;
  void consider(const plan::CollectiveForm& form);
  plan::Plan* find_plan(std::span<const abi::leaf> leaves, plan::Plan* known);

  using Outgoing = Outbox::Outgoing;
  Bindings bindings() const { return {&instance_.site, statements_, updates_.all(), names_}; }
  Statement& current() { return statements_[progress_.current]; }
  std::size_t head_bytes() const;
  /// What the members' messages have in common.
  std::uint32_t head_line() const {
    return instance_.step == Step::fence ? MessageHead::fence
                                         : static_cast<std::uint32_t>(instance_.site.line);
  }
  // Values in regions: see regions.cpp.
  /// Returns true if a value in a region travels as a reference to it between this rank and the peer: the
  /// same on both.
  bool shares_region(const Statement& statement, int peer, bool needs_addresses) const;
  /// Returns true if values in regions travel to all members as plain ones do, without the region.
  bool is_plain(const Statement& statement, bool needs_addresses) const;
  bool all_share(bool needs_addresses) const;
  void put_no_region();
  // What is read where it lies at the sender: see lent.cpp.
  /// Returns true if the statement that has begun may lend, if it remains the block's only one.
  bool may_lend(plan::Collective kind);
  bool places_meet_loans() const;
  /// Called before messages are sent: replaces what was lent by a copy that goes along.
  void copy_loans() {
    if (!lending_.loans.empty()) copy_all_loans();
    lending_.lends = false;
  }
  void copy_all_loans();
  /// Tells senders that their loans have been read, and waits until this rank's have been.
  void settle_loans() {
    if (!lending_.loans.empty() || lending_.borrows) settle_all_loans();
  }
  void settle_all_loans();
  static bool is_elsewhere(std::uint64_t word);
  Arrived value_elsewhere(PeerMessage& in, std::uint64_t word, void* address);
  /// Replaces elements that must not be written, or that others may write, by a copy.
  void make_own(abi::term& value, const abi::travelling& how);
  /// How a value travels to ranks that do not share its region.
  static const abi::travelling& without_region(const abi::travelling& how) {
    return how.plain ? *how.plain : how;
  }

  Gift& gift_of(abi::buffer_memory& buffer);
  /// Lets go of what is given away, when all values have been evaluated.
  void let_go_of_given() {
    if (!giving_.empty()) let_go_of_all_given();
  }
  void let_go_of_all_given();
  void count(std::uint64_t SharingCounts::*what, std::size_t bytes);
  /// Counts the bytes of a value that the update's place has got by copying.
  void count_copied(const abi::receiving& how, abi::term value);
  /// The context under which the block's first messages travel.
  std::uint64_t context() const;
  /// Sends the captured value to each receiver in a message, as in a block that is no collective operation.
  void send_directly() {
    if (collective_.form) send_captured();
  }
  void send_captured();
  /// Executes the block as the collective operation that it is, if it is faster so.
  bool run_collective();
  collectives::Algorithm collective_algorithm() const;
  const abi::travelling* plain_value() const;
  collectives::Algorithm flat_algorithm(std::size_t bytes, std::size_t alignment) const;
  collectives::Algorithm sequence_algorithm(std::size_t bytes, std::size_t alignment) const;
  /// Returns the value's Holder if the value has arrived in other memory.
  collectives::Holder exchange_collective(collectives::Algorithm algorithm, collectives::Value& value,
                                          std::byte* all);
  [[noreturn]] void fail_collective(int from, const MessageHead& head, std::size_t value_bytes) const;
  collectives::Group group();
  void check_senders(const Statement& statement);
  bool capture_value(int receiver, const void* data, std::size_t bytes, std::size_t alignment);
  /// Makes room for the captured value.
  void capture_copy(std::size_t bytes, std::size_t element_bytes, std::size_t alignment);
  /// As capture_sequence(), for elements that all members may read in place, unless the operation is
  /// user-defined.
  bool capture_in_place(int receiver, const void* elements, std::size_t bytes, std::size_t element_bytes,
                        std::size_t alignment);
  /// As capture_in_place(), for a variable's value in a region that all members read.
  bool capture_region(int receiver, const abi::region_handle& variable, const abi::region_value& value);
  void forget_captured();
  void send_all();
  void check_head(int from, const Buffer& message) const;
  /// The message from a member, which is waited for if it has not been received.
  PeerMessage& incoming(int from) {
    PeerMessage* const known = inbox_.find(from);
    return known ? *known : receive_from(from);
  }
  PeerMessage& receive_from(int from);
  /// The value of an update, which is asked for in the order of the updates.
  Arrived value_of(const Statement& statement, std::size_t at);
  Arrived next_value(PeerMessage& in, const Statement& statement);
  Arrived next_value(PeerMessage& in, const abi::travelling& how) {
    if (how.how != abi::layout::flat || how.alignment > most_alignment) return next_other_value(in, how);
    ++in.values;
    return {take(in, how.bytes, how.alignment)};
  }
  Arrived next_other_value(PeerMessage& in, const abi::travelling& how);
  /// Takes `bytes` bytes of the message at the next multiple of `alignment`.
  std::byte* take(PeerMessage& in, std::size_t bytes, std::size_t alignment) {
    const std::size_t start = aligned(in.at, alignment);
    if (start > in.message.bytes() || bytes > in.message.bytes() - start) fail_too_few(in);
    in.at = start + bytes;
    return in.message.data() + start;
  }

  // Where one side knows: see one_sided.cpp.
  void seal(Outgoing& out, std::uint32_t kind) const;
  void send_records();
  void settle(int member);
  int awaited(const DisseminationBarrier& barrier);
  void send_control(int to, std::uint32_t kind);
  void meet();
  void take_one_sided(Buffer message, DisseminationBarrier& barrier);
  int next_record(PeerMessage& in);
  void serve(PeerMessage& request);
  void unpack();
  PeerMessage& add_incoming(int from, Buffer message);

  abi::term materialise(const Arrived& value, const abi::receiving& how) const;
  void release(const abi::receiving& how, abi::term value) const;
  void update_places(const Statement& statement);
  void assign_all(const Statement& statement);
  /// Assigns the values if copying their bytes suffices; else returns false.
  bool assign_plainly(const Statement& statement);
  void fold_all(const Statement& statement);
  void fold_groups(const Statement& statement);
  void finish_place(const Statement& statement, std::size_t at, abi::term result);
  /// Updates the update's place by the value, which is used up.
  void update_place(const abi::receiving& how, std::size_t at, abi::term value);
  void assign_place(const abi::receiving& how, std::size_t at, abi::term value);
  [[noreturn]] void fail_lost(std::size_t at);
  [[noreturn]] void fail_too_few(const PeerMessage& in);
  /// Checked mode: lets records arrive before a failure, since what has arrived is not what this rank
  /// expects.
  void settle_checks() const;
  // Checked mode, see check_places.cpp.
  struct Places;
  /// Ends the job if places of this block's updates overlap with each other or with those of pending
  /// exchanges.
  void check_conflicts() const;
  void note_places();
  void check_places_untouched() const;
  static const Statement& statement_of(const Bindings& all, std::size_t at);
  static std::string update_text(const Bindings& all, std::size_t at);
  static std::string statement_text(const abi::site& block, const Statement& statement,
                                    const abi::named_value* names, int name_count);
  /// Describes the binding whose value or place is being evaluated.
  std::string evaluated_text();
  void index_updates();
  void assign_deeply(const abi::receiving& how, std::size_t at, abi::term value);
  void take_followers(const void* data, std::size_t bytes);
  void follow_elements(const abi::storage& before, const abi::storage& now);
  /// "i = 3, j = 4"; empty if the update's binding has no names.
  std::string binding_text(const Statement& statement, std::size_t at) const;
  /// "rank 2"; in a team other than the world also its number in the world.
  std::string member_text(int member) const;
  std::string statement_text(const Statement& statement, const abi::named_value* names, int name_count) const;
  /// Fails because a message with this head came from `from` where one of this block is due.
  [[noreturn]] void fail_order(int from, const MessageHead& head) const;
  void clear();
  void end();

  Blocks& blocks_;
  Rank* const owner_;
  const Switches& on_ = switches(*owner_);
  BlockInstance instance_;

  ShortMessages short_messages_;  ///< used by outbox_ and inbox_
  Outbox outbox_{*owner_, short_messages_};
  PeerList<PeerMessage> inbox_;
  std::vector<Statement> statements_;
  UpdateList updates_;
  std::vector<abi::named_value> names_;
  CollectiveState collective_;
  FoldMemory fold_memory_;
  Lending lending_;
  Giving giving_;
  Following following_;
  OneSided one_sided_;
  Lasting lasting_;
  Kept kept_;
  IndexLists index_lists_;

  Progress progress_;
};

template <class Function>
void Execution::call_user(const Function& function) {
  try {
    function();
  } catch (...) {
    fail_exception();
  }
}

}  // namespace kanor::rt
