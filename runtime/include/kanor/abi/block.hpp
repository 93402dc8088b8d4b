// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: a block in execution. This is all that emitted code calls:
///
///     kanor::abi::execute({"ring.cpp", 6, "main"}, [&](kanor::abi::block& kanor_block) {
///       kanor_block.assign({6, "left@(i + 1) <<= mine@i", "i"}, [&](auto& kanor_bind) {
///         for (const auto i : kanor::abi::each(kanor::world))
///           if (kanor_bind((i + 1), i, i)) {
///             const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(mine) : kanor_bind.nothing();
///             if (kanor_bind.receives()) kanor_bind.assign(left, kanor_sent, i);
///           }
///       });
///     });
#pragma GCC system_header

#include <initializer_list>

#include "kanor/abi/assign.hpp"
#include "kanor/abi/buffer_block.hpp"
#include "kanor/abi/candidates.hpp"
#include "kanor/abi/codec.hpp"
#include "kanor/abi/core.hpp"
#include "kanor/abi/each.hpp"
#include "kanor/abi/integers.hpp"
#include "kanor/abi/leaf.hpp"
#include "kanor/abi/reduce.hpp"
#include "kanor/pending.hpp"
#include "kanor/team.hpp"

// A linker that does not find libkanor.a says this name among all the others.
extern "C" const char this_program_has_blocks_of_Kanor_so_link_it_with_kanorc;
namespace kanor::abi {
[[gnu::used]] static const char* const wanted_library =
    &this_program_has_blocks_of_Kanor_so_link_it_with_kanorc;
}

// kanorc defines it for programs with debug information.
#if defined(KANOR_ABI_DEBUGGER_SCRIPT)
asm(".pushsection \".debug_gdb_scripts\", \"MS\",@progbits,1\n"
    ".byte 1\n"
    ".asciz \"" KANOR_ABI_DEBUGGER_SCRIPT
    "\"\n"
    ".popsection");
#endif

namespace kanor::rt {
class Blocks;
class Execution;
class FewValues;
struct MessageEnd;
struct UpdateEnd;
namespace plan {
class Plan;
}
}  // namespace kanor::rt

namespace kanor::abi {

/// A rank expression's value as an `int`: `no_rank` stays itself, and a value that no `int` can hold becomes
/// -1.
template <class Rank>
constexpr int rank_number(const Rank& rank) {
  if constexpr (is_integer_type<Rank>) {
    const int number = static_cast<int>(rank);
    return static_cast<Rank>(number) == rank ? number : -1;
  } else {
    static_assert(std::is_convertible_v<Rank, long long> && !std::is_floating_point_v<Rank>,
                  "a rank must be an integer");
    return rank_number<long long>(rank);
  }
}

/// The modifiers in the parentheses after `@communicate`.
struct modifiers {
  ::kanor::team team{};  ///< its members execute the block, which uses its rank numbers
  abi::knows knows = abi::knows::both;
  bool copy = false;  ///< copy values instead of sharing memory between ranks
};

class binder;
class binder_base;
class region_handle;

/// The least size of values that are lent. Receivers get copies of smaller ones.
inline constexpr std::size_t least_lent_bytes = 4096;

/// One execution of a block by one rank. Its statements are given by assign() and reduce(), which evaluate
/// and snapshot this rank's values and find its places; run() exchanges and updates. Errors end the job:
/// nothing throws, so the code around a block needs no clean-up for it. Belongs to the rank; there is one at
/// a time.
class block {
 public:
  explicit block(const site& where) noexcept;
  block(const site& where, const modifiers& how) noexcept;
  /// Ends the job unless run() or start() has completed.
  ~block();
  block(const block&) = delete;
  block& operator=(const block&) = delete;

  /// A statement with `<<=`. `bindings` calls its argument once for each binding, in binding order, as
  /// (receiver, sender, names' values…), and then gives it value and place, as it asks for them. If the
  /// statement has a form, `leaves` are the values that it calls $0, $1, …, and `bindings` asks its argument
  /// for the members of each set that concern this rank (only()); it is then called twice, for the values
  /// that this rank sends and for those that it receives.
  template <class Bindings>
  void assign(const statement_site& where, std::initializer_list<leaf> leaves,
              const Bindings& bindings) noexcept;
  template <class Bindings>
  void assign(const statement_site& where, const Bindings& bindings) noexcept {
    assign(where, {}, bindings);
  }

  /// A statement with `<< operation <<`. An lvalue operation is referred to until run() ends.
  template <class Operation, class Bindings>
  void reduce(const statement_site& where, std::initializer_list<leaf> leaves, Operation&& operation,
              const Bindings& bindings) noexcept;
  template <class Operation, class Bindings>
  void reduce(const statement_site& where, Operation&& operation, const Bindings& bindings) noexcept {
    reduce(where, {}, static_cast<Operation&&>(operation), bindings);
  }

  /// A statement of a block with `knows = sender`: `bindings` calls its argument for each value that this
  /// rank sends, as (receiver, sender, value, carry, names' values…), where `carry` calls its argument with
  /// the names that the receiver needs; `place` is called at the receiver with their values. `types` is never
  /// called: it returns what its argument returns for a binding.
  template <class Place, class Bindings, class Types>
  void push(const statement_site& where, std::initializer_list<leaf> leaves, const Place& place,
            const Bindings& bindings, const Types& types) noexcept;
  template <class Operation, class Place, class Bindings, class Types>
  void push_reduce(const statement_site& where, std::initializer_list<leaf> leaves, Operation&& operation,
                   const Place& place, const Bindings& bindings, const Types& types) noexcept;

  /// The mirror image for `knows = receiver`: `bindings` gives (receiver, sender, place, carry, names'
  /// values…) for each value that this rank receives, and `value` is called at the sender.
  template <class Value, class Bindings, class Types>
  void pull(const statement_site& where, std::initializer_list<leaf> leaves, const Value& value,
            const Bindings& bindings, const Types& types) noexcept;
  template <class Operation, class Value, class Bindings, class Types>
  void pull_reduce(const statement_site& where, std::initializer_list<leaf> leaves, Operation&& operation,
                   const Value& value, const Bindings& bindings, const Types& types) noexcept;

  // The same without leaves.
  template <class Place, class Bindings, class Types>
  void push(const statement_site& where, const Place& place, const Bindings& bindings,
            const Types& types) noexcept {
    push(where, {}, place, bindings, types);
  }
  template <class Operation, class Place, class Bindings, class Types>
  void push_reduce(const statement_site& where, Operation&& operation, const Place& place,
                   const Bindings& bindings, const Types& types) noexcept {
    push_reduce(where, {}, static_cast<Operation&&>(operation), place, bindings, types);
  }
  template <class Value, class Bindings, class Types>
  void pull(const statement_site& where, const Value& value, const Bindings& bindings,
            const Types& types) noexcept {
    pull(where, {}, value, bindings, types);
  }
  template <class Operation, class Value, class Bindings, class Types>
  void pull_reduce(const statement_site& where, Operation&& operation, const Value& value,
                   const Bindings& bindings, const Types& types) noexcept {
    pull_reduce(where, {}, static_cast<Operation&&>(operation), value, bindings, types);
  }

  /// Executes a block: `write` adds its `statements`. `how` may be null. The site comes in registers, and not
  /// as an object: g++'s pointer analysis takes time quadratic in the number of objects whose addresses the
  /// function around the blocks passes on.
  using Write = void (*)(const void* statements, block& to);
  static void execute(const char* file, int line, const char* function, const modifiers* how, Write write,
                      const void* statements) noexcept;
  [[nodiscard]] static pending start(const site& where, const modifiers* how, Write write,
                                     const void* statements) noexcept;

  /// Called before run() if the senders and receivers of the block's only statement depend on its leaves
  /// alone: allows the runtime to remember them.
  void note() noexcept;
  /// Sends the values that others need, waits for those that this rank needs, and updates the places in
  /// (statement, binding) order. Waits only for ranks that send to this one, except where KANOR_INFLIGHT
  /// bounds a sender.
  void run() noexcept;

  /// Used instead of run() for an `async` block: sends, and leaves receiving and updating to the result. An
  /// lvalue operation is referred to until the result has ended.
  [[nodiscard]] pending start() noexcept;

 private:
  friend class binder;
  friend class binder_base;
  friend class value_sink;
  friend class place_sink;
  template <class Range, class Index>
  friend index_list list_indices(block& owner, bool lasts, Range&& range, const Index& index);
  template <class Operation, class Place>
  friend class push_binder;
  template <class Operation, class Value>
  friend class pull_binder;
  template <class T>
  friend class arrived_name;
  friend class rt::Execution;

  /// A second object for the same block, which evaluates a place or value when the names' values arrive from
  /// another rank; must not be run.
  block(rt::Execution& execution, rt::MessageEnd& message, rt::UpdateEnd& updates, int rank, int size,
        bool checked) noexcept
      : execution_(&execution),
        message_end_(&message),
        update_end_(&updates),
        rank_(rank),
        size_(size),
        checked_(checked),
        complete_(true) {}

  /// Enters the block, unless that has been done. An error if the rank is evaluating another block's
  /// expressions.
  void enter() noexcept;

  using Visit = void (*)(const void* bindings, binder_base& binder);

  /// Starts a statement and lets `visit` call the binder for its bindings. If repeat_few() can execute the
  /// block, it is complete afterwards.
  void statement(const statement_site& where, std::initializer_list<leaf> leaves, void* operation,
                 Visit visit, const void* bindings) noexcept;
  /// Executes the block on a fast path, if its only statement is this one and was noted to exchange few plain
  /// values. Otherwise does nothing and returns false.
  bool repeat_few(const statement_site& where, std::initializer_list<leaf> leaves, void* operation,
                  Visit visit, const void* bindings, binder& bind) noexcept;
  /// Calls `visit` for the values that this rank sends, and again for those that it receives.
  void visit_both_sides(Visit visit, const void* bindings, binder& bind);
  /// Leaves the fast path of repeat_few() because of an error, which the usual path then reports.
  void start_again() noexcept;
  /// Evaluates a place or a value with the names' values that have arrived from `peer`. `function` is the
  /// user's.
  using Evaluate = void (*)(block& owner, const void* function, int peer);
  /// Starts a statement whose bindings one side knows: the receiver if `how` is null (it is found with the
  /// bindings), else the sender.
  void one_sided_statement(const statement_site& where, std::initializer_list<leaf> leaves, void* operation,
                           Evaluate evaluate, const void* function, const receiving* how, Visit visit,
                           const void* bindings, binder_base& binder) noexcept;
  /// Begins another binding in the message to `peer`.
  void begin_record(int peer) noexcept;
  /// Returns the value of the next name of the binding that is being read.
  term take_name(const travelling& how) noexcept;
  /// Returns the operation's address. A temporary operation is moved to the block's memory.
  template <class Operation>
  void* kept_operation_of(Operation&& operation) noexcept;
  template <class Function>
  void* kept_function(const Function& function) noexcept;
  template <class Operation, class Place, class Bindings, class Types>
  void push_statement(const statement_site& where, std::initializer_list<leaf> leaves, void* operation,
                      const Place& place, const Bindings& bindings, const Types& types) noexcept;
  template <class Operation, class Value, class Bindings, class Types>
  void pull_statement(const statement_site& where, std::initializer_list<leaf> leaves, void* operation,
                      const Value& value, const Bindings& bindings, const Types& types) noexcept;
  /// Returns the members of the set of name number `name` that the plan selects, or without a plan all of
  /// them, which become `all`. Valid until the next call for this name.
  static candidate_list only(rt::plan::Plan* plan, int name, const member_set& set,
                             candidate_run& all) noexcept;
  /// Returns the address to which the name's current value must be written for the plan.
  static long long* value_of(rt::plan::Plan* plan, int name) noexcept;
  /// Returns zeroed memory that lives until the block ends. `destroy`, unless null, is called then.
  void* keep(std::size_t bytes, std::size_t alignment, void (*destroy)(void*)) noexcept;

  // The list of a section's indices that is being made.
  /// Returns room for so many indices, with those that have been written. Valid until the next list.
  long long* room_for_indices(long long count) noexcept;
  /// Returns a copy that lives until the block ends, the same for equal lists.
  const long long* keep_indices(long long count) noexcept;
  /// Checked mode: ends the job if an index is listed twice.
  void check_listed_once(long long count) noexcept;

  // This rank is the sender of a binding: what is put goes to `receiver`.
  void put_flat(int receiver, const void* data, std::size_t bytes, std::size_t alignment) noexcept;
  /// The same where the receiver's message is not open, or has no room.
  void put_first(int receiver, const void* data, std::size_t bytes, std::size_t alignment) noexcept;
  /// Returns the address to which the elements must be written, or null if the runtime has them already.
  std::byte* put_sequence(int receiver, std::size_t count, std::size_t element_bytes,
                          std::size_t element_alignment) noexcept;
  /// Returns true if `receiver` reads the elements in place, before the block ends on this rank; else they
  /// must be put.
  bool lend(int receiver, const void* elements, std::size_t count, std::size_t element_bytes,
            std::size_t element_alignment) noexcept;
  /// Returns true if `receiver` takes a pointer to a copy of an object; else its archive must be put.
  bool by_pointer(int receiver) noexcept;
  void put_pointer(int receiver, void* object, std::size_t weight_bytes) noexcept;
  /// Returns the object that the variable refers to. It is an error if there is none.
  const void* object_of(const region_handle& variable) noexcept;
  /// Puts a reference to the object's region, if the receiver takes it. Returns false if the object itself
  /// must be put.
  bool put_region(int receiver, const region_handle& variable, const region_value& value) noexcept;
  /// Returns true if `receiver` takes over a value that is moved out of an object; else a copy must be put.
  bool moves_objects(int receiver) noexcept;
  /// The same for a sequence of `bytes` plain bytes.
  bool moves_elements(int receiver, std::size_t bytes) noexcept;
  /// Puts the only reference to a region with such a sequence.
  void put_moved(int receiver, void* object, std::size_t bytes) noexcept;
  /// Takes the buffer's memory, once in a block, and puts a reference to it, if the receiver takes it.
  /// Otherwise returns false, and the `elements` must be put.
  bool put_given(int receiver, buffer_memory& buffer, std::size_t element_bytes, term& elements) noexcept;
  /// Checked mode: ends the job if a buffer whose value is sent or given away was given away before.
  void check_given(const buffer_memory& buffer) noexcept;
  archive_writer begin_archive(int receiver) noexcept;
  void end_archive(const archive_writer& writer) noexcept;
  [[noreturn]] void fail_no_archive(int receiver) noexcept;

  /// Stores the names' values of the binding whose place or value is evaluated next, for messages.
  void evaluating(const named_value* names, int name_count) noexcept;
  /// Checked mode: records a value that is sent. For a section, `value` is the section, whose `proxy_bytes`
  /// bytes are copied; else it is the object, and `proxy_bytes` is 0.
  void note_value(const void* value, std::size_t proxy_bytes,
                  void (*extents)(const void*, const extent_sink&)) noexcept;
  /// Checked mode: checks the next binding, which has these ranks and names.
  void check_binding(int receiver, int sender, const named_value* names, int name_count) noexcept;
  /// Checked mode: checks the type of the value of a binding of the statement.
  void check_type(const char* type) noexcept;

  /// Adds a binding that this rank receives: the value from `sender` goes to `place`.
  void add(int sender, void* place, const receiving& how) noexcept;
  /// The same, and the names' values are kept for messages.
  void add(int sender, void* place, const receiving& how, const named_value* names, int name_count) noexcept;

  enum class ends : unsigned char { in_team, none, outside };
  /// `none` if one of a binding's two ranks is `no_rank`, and `outside` if one is not in the team.
  ends ends_of(int receiver, int sender) const noexcept;
  /// Ends the job: one of the ranks is outside the team.
  [[noreturn]] void fail_ranks(named_value receiver, named_value sender, const named_value* names,
                               int name_count) noexcept;

  rt::Blocks* blocks_ = nullptr;
  site where_{};
  modifiers how_;
  rt::Execution* execution_ = nullptr;     ///< null before it is entered
  rt::FewValues* few_ = nullptr;           ///< instead of execution_, while the block is repeated
  Visit visit_ = nullptr;                  ///< the last statement's
  rt::MessageEnd* message_end_ = nullptr;  ///< of execution_ or few_, like update_end_
  rt::UpdateEnd* update_end_ = nullptr;
  int rank_ = 0;
  int size_ = 0;
  bool checked_ = false;
  bool complete_ = false;
};

/// Executes a block. `statements` adds the statements to its argument.
template <class Statements>
void execute(const site& where, const Statements& statements) noexcept;
template <class Statements>
void execute(const site& where, const modifiers& how, const Statements& statements) noexcept;

/// The same for an `async` block. Objects that the statements refer to must live until the result has ended.
template <class Statements>
[[nodiscard]] pending start(const site& where, const Statements& statements) noexcept;
template <class Statements>
[[nodiscard]] pending start(const site& where, const modifiers& how, const Statements& statements) noexcept;

}  // namespace kanor::abi

#include "kanor/abi/bind.hpp"
#include "kanor/abi/one_sided.hpp"
