// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>

#include "analysis/sharing_decisions.hpp"
#include "flow/dependence.hpp"
#include "flow/shape.hpp"

// Random structured functions: what the analysis says about their flow graphs is executed on the functions
// themselves, where insertions have their exact places.
namespace kanor::analysis {
namespace {

enum class Kind { read, write, overwrite, block, nest, work, branch, loop, leave };

/// A statement of the language that is executed: children of compounds are Statements of the flow graph, with
/// the same numbers.
struct Code {
  Kind kind = Kind::work;
  int number = -1;                  ///< of the statement; of an unbraced child, its parent's
  bool is_braced = true;            ///< the bodies of a branch or loop are compounds
  std::vector<Code> first, second;  ///< bodies
  std::vector<Kind> condition;      ///< what it does before it decides
  bool sends = false, receives = false, by_all = false;
  int block = -1;
  int leaves = 0;  ///< 0: breaks, 1: continues, 2: returns
};

/// Makes a function and its flow graph at once.
class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {
    graph.variables.resize(1);
    graph.variables[0].name = "A";
    graph.functions.resize(1);
    graph.functions[0].name = "f";
    at_ = node();
    declares_in_loop = chance(4);
    has_macros_ = chance(5);
    if (!declares_in_loop) declaration(-1);
    code = compound(-1, declares_in_loop ? 1 : 3, 0);
    const int exit = node();
    if (at_ >= 0) edge(at_, exit);
    for (const int from : returns_) edge(from, exit);
    function().exit = exit;
    finish();
  }

  flow::FlowGraph graph;
  std::vector<Code> code;
  bool declares_in_loop = false;
  int birth = -1;  ///< the statement whose body begins with the declaration; -1: the function

 private:
  flow::Function& function() { return graph.functions[0]; }
  bool is_in_scope() { return !function().candidates.empty() && !is_over_; }
  bool chance(unsigned of) { return random_() % of == 0; }
  int node() {
    function().nodes.emplace_back();
    return static_cast<int>(function().nodes.size()) - 1;
  }
  flow::Node& in(int index) { return function().nodes[static_cast<std::size_t>(index)]; }
  void edge(int from, int to) { in(from).successors.push_back(to); }

  void begin(int statement) {
    function().statements[static_cast<std::size_t>(statement)].at.span.begin =
        static_cast<std::uint32_t>(text_.size());
    text_ += '{';
  }
  void end(int statement) {
    text_ += '}';
    function().statements[static_cast<std::size_t>(statement)].at.span.end =
        static_cast<std::uint32_t>(text_.size());
  }
  int statement(int parent) {
    function().statements.emplace_back().parent = parent;
    return static_cast<int>(function().statements.size()) - 1;
  }

  flow::Access& access(flow::AccessKind kind, int statement) {
    flow::Access& made = in(at_).accesses.emplace_back();
    made.kind = kind;
    made.variable = 0;
    made.statement = statement;
    return made;
  }
  void declaration(int parent) {
    const int index = statement(parent);
    begin(index);
    end(index);
    access(flow::AccessKind::overwrite, index);
    flow::Candidate candidate;
    candidate.variable = 0;
    candidate.is_vector = chance(4);
    candidate.extents = {candidate.is_vector ? -1 : 4};
    candidate.statement = index;
    candidate.asked = flow::Candidate::Asked::globalize;
    function().candidates.push_back(candidate);
    birth = parent;
  }

  std::vector<Code> compound(int parent, unsigned least, int depth) {
    std::vector<Code> made;
    for (unsigned count = least + random_() % 4; count > 0 && at_ >= 0; --count) {
      const int index = statement(parent);
      begin(index);
      made.push_back(statement_of(index, depth));
      end(index);
    }
    return made;
  }

  Code statement_of(int index, int depth) {
    Code made;
    made.number = index;
    const unsigned pick = random_() % 16;
    if (function().candidates.empty() || (depth < 4 && pick < 3)) return loop(std::move(made), depth);
    if (depth < 4 && pick < 6) return branch(std::move(made), depth);
    if (chance(3)) next_node();
    if (pick == 7 || !is_in_scope()) return work(std::move(made));
    if (pick == 6) return nest(std::move(made));
    if (pick < 11) return block(std::move(made));
    made.kind = pick < 13 ? Kind::read : pick < 15 ? Kind::write : Kind::overwrite;
    touch(made.kind, index);
    return made;
  }
  void next_node() {
    const int next = node();
    edge(at_, next);
    at_ = next;
  }
  void touch(Kind kind, int statement) {
    access(kind == Kind::read    ? flow::AccessKind::read
           : kind == Kind::write ? flow::AccessKind::write
                                 : flow::AccessKind::overwrite,
           statement);
  }
  Code work(Code made) {
    made.kind = Kind::work;
    in(at_).events.emplace_back().kind = flow::EventKind::call;
    return made;
  }
  Code block(Code made) {
    made.kind = Kind::block;
    made.block = blocks_++;
    made.sends = !chance(3);
    made.receives = !made.sends || chance(2);
    made.by_all = chance(2);
    if (made.sends) access(flow::AccessKind::send, made.number).block = made.block;
    if (made.receives) {
      flow::Access& receive = access(flow::AccessKind::receive, made.number);
      receive.block = made.block;
      receive.by_all_ranks = made.by_all;
    }
    return made;
  }

  /// What a condition does, and its text.
  std::vector<Kind> condition(int statement) {
    std::vector<Kind> made;
    if (is_in_scope() && chance(5)) made.push_back(Kind::read);
    if (is_in_scope() && chance(9)) made.push_back(Kind::write);
    for (const Kind kind : made) touch(kind, statement);
    decide();
    return made;
  }
  void decide() {
    if (has_macros_ && chance(3)) {
      in(at_).condition.emplace_back().variable = 0;
      return;
    }
    in(at_).condition_at.span = {static_cast<std::uint32_t>(text_.size()),
                                 static_cast<std::uint32_t>(text_.size() + 1)};
    text_ += '?';
  }

  /// Braced, or one statement that is a part of `made`.
  std::vector<Code> body(const Code& made, int depth) {
    if (made.is_braced) return compound(made.number, 1, depth + 1);
    Code inner;
    inner.number = made.number;
    inner.kind = chance(2) ? Kind::read : chance(2) ? Kind::write : Kind::overwrite;
    touch(inner.kind, inner.number);
    return {inner};
  }

  Code branch(Code made, int depth) {
    made.kind = Kind::branch;
    made.is_braced = !is_in_scope() || !chance(3);
    made.condition = condition(made.number);
    const int decides = at_;
    at_ = node();
    edge(decides, at_);
    made.first = body(made, depth);
    if (at_ >= 0 && made.is_braced && chance(5)) leave(made.number, made.first);
    const int end_of_first = at_;
    int end_of_second = decides;
    if (chance(2)) {
      at_ = node();
      edge(decides, at_);
      made.second = body(made, depth);
      end_of_second = at_;
    }
    at_ = node();
    if (end_of_first >= 0) edge(end_of_first, at_);
    edge(end_of_second, at_);
    return made;
  }

  void leave(int parent, std::vector<Code>& body) {
    Code& made = body.emplace_back();
    made.kind = Kind::leave;
    made.number = statement(parent);
    made.leaves = loops_.empty() ? 2 : static_cast<int>(random_() % 3);
    function().statements.back().ends_block = true;
    begin(made.number);
    end(made.number);
    if (made.leaves == 2)
      returns_.push_back(at_);
    else if (made.leaves == 0)
      loops_.back().second.push_back(at_);
    else
      edge(at_, function().loops[static_cast<std::size_t>(loops_.back().first)].header);
    at_ = -1;
  }

  int enter_loop(int statement) {
    next_node();
    flow::Loop& loop = function().loops.emplace_back();
    loop.header = at_;
    loop.statement = statement;
    function().statements[static_cast<std::size_t>(statement)].is_loop = true;
    loops_.emplace_back(static_cast<int>(function().loops.size()) - 1, std::vector<int>());
    return at_;
  }
  void leave_loop(int header) {
    if (at_ >= 0) edge(at_, header);
    at_ = node();
    edge(header, at_);
    for (const int from : loops_.back().second) edge(from, at_);
    loops_.pop_back();
  }

  Code loop(Code made, int depth) {
    made.kind = Kind::loop;
    const bool declares = function().candidates.empty();
    const int header = enter_loop(made.number);
    made.condition = condition(made.number);
    at_ = node();
    edge(header, at_);
    if (declares) declaration(made.number);
    made.is_braced = !is_in_scope() || declares || !chance(4);
    made.first = body(made, depth);
    leave_loop(header);
    is_over_ = is_over_ || declares;
    return made;
  }

  Code nest(Code made) {
    made.kind = Kind::nest;
    const int header = enter_loop(made.number);
    flow::Loop& loop = function().loops.back();
    loop.is_counted = true;
    loop.first = 0;
    loop.last = 3;
    decide();
    at_ = node();
    edge(header, at_);
    access(flow::AccessKind::write, made.number).subscripts = {
        flow::Affine{0, {{static_cast<int>(function().loops.size()) - 1, 1}}}};
    leave_loop(header);
    return made;
  }

  void finish() {
    source_ = std::make_unique<text::Source>("random.cpp", text_);
    for (flow::Statement& statement : function().statements) statement.at.source = source_.get();
    const auto levels = flow::loop_levels(function());
    for (std::size_t at = 0; at < levels.size(); ++at) {
      function().nodes[at].level = levels[at];
      if (!function().nodes[at].condition_at.span.empty())
        function().nodes[at].condition_at.source = source_.get();
    }
    flow::complete_loops(function());
    flow::verify(graph);
  }

  std::mt19937 random_;
  std::string text_;
  std::unique_ptr<text::Source> source_;
  int at_ = -1;              ///< the node that is being filled; -1: nothing comes here
  bool has_macros_ = false;  ///< some branches have no text
  bool is_over_ = false;     ///< the scope of the declaration
  int blocks_ = 0;
  std::vector<int> returns_;
  std::vector<std::pair<int, std::vector<int>>> loops_;  ///< with the nodes that break out of them
};

/// One rank executes the function with a decision's insertions. Throws if it would see another rank's writes
/// or show its own, or read what it let go of.
class Rank {
 public:
  Rank(const Maker& maker, const SharingDecision& decision, unsigned seed)
      : maker_(maker), decision_(decision), random_(seed) {}

  void run() {
    if (!maker_.declares_in_loop) declare();
    compound(maker_.code);
  }

 private:
  enum class End { normal, breaks, continues, returns };
  bool chance(unsigned of) { return random_() % of == 0; }
  static void require(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(what);
  }

  bool is_vector() const { return maker_.graph.functions[0].candidates[0].is_vector; }
  void declare() { holds_ = true, shared_ = false, valid_ = true; }
  void read() const {
    require(holds_, "reads nothing");
    require(valid_, "reads another value");
  }
  void write() const {
    require(holds_, "writes nothing");
    require(!shared_, "writes what others hold");
  }
  void insertions(int statement, bool after) {
    for (const Insertion& insertion : decision_.insertions) {
      if (insertion.statement != statement || insertion.after != after) continue;
      if (insertion.action == Action::release) {
        holds_ = valid_ = false;
        continue;
      }
      if (!holds_ || insertion.action == Action::overwrite) valid_ = false;
      holds_ = true;
      shared_ = false;
    }
  }

  void touch(Kind kind) {
    if (kind == Kind::read) return read();
    write();
    if (kind == Kind::write && is_vector()) require(valid_, "writes no element");
    if (kind == Kind::overwrite) valid_ = true;
  }

  void block(const Code& code) {
    const bool hands_over = std::any_of(decision_.handovers.begin(), decision_.handovers.end(),
                                        [&](const Handover& one) { return one.block == code.block; });
    if (code.sends && !chance(4)) {
      read();
      shared_ = true;
      if (hands_over) holds_ = valid_ = false;
    }
    if (code.receives && (code.by_all || chance(2))) holds_ = shared_ = valid_ = true;
  }

  End compound(const std::vector<Code>& body) {
    for (const Code& code : body) {
      insertions(code.number, false);
      const End end = statement(code);
      if (end != End::normal) return end;
      insertions(code.number, true);
    }
    return End::normal;
  }

  End body(const Code& code, const std::vector<Code>& body) {
    if (code.is_braced) return compound(body);
    for (const Code& inner : body) touch(inner.kind);
    return End::normal;
  }

  End statement(const Code& code) {
    switch (code.kind) {
      case Kind::work:
        break;
      case Kind::block:
        block(code);
        break;
      case Kind::nest:
        for (int times = 0; times < 4; ++times) touch(Kind::write);
        valid_ = true;
        break;
      case Kind::branch: {
        for (const Kind kind : code.condition) touch(kind);
        return body(code, chance(2) ? code.first : code.second);
      }
      case Kind::loop:
        return loop(code);
      case Kind::leave:
        return code.leaves == 0 ? End::breaks : code.leaves == 1 ? End::continues : End::returns;
      default:
        touch(code.kind);
    }
    return End::normal;
  }

  End loop(const Code& code) {
    while (true) {
      for (const Kind kind : code.condition) touch(kind);
      if (chance(3) || ++rounds_ > 200) return End::normal;
      if (maker_.declares_in_loop && maker_.birth == code.number) declare();
      const End end = body(code, code.first);
      if (end == End::breaks) return End::normal;
      if (end == End::returns) return end;
    }
  }

  const Maker& maker_;
  const SharingDecision& decision_;
  std::mt19937 random_;
  bool holds_ = false, shared_ = false, valid_ = false;
  int rounds_ = 0;
};

/// What goes wrong in any of several executions; empty: nothing.
std::string goes_wrong(const Maker& maker, const SharingDecision& decision, unsigned runs) {
  try {
    for (unsigned seed = 0; seed < runs; ++seed) Rank(maker, decision, seed).run();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

std::string printed(const flow::FlowGraph& graph, const SharingDecisions& decisions) {
  std::ostringstream out;
  flow::print(graph, out);
  print(graph, decisions, out);
  return out.str();
}

bool is_refused(const flow::FlowGraph& graph, const SharingDecisions& decisions) {
  try {
    verify(graph, decisions);
  } catch (const std::logic_error&) {
    return true;
  }
  return false;
}

TEST(RandomFunctions, KeepTheirMeaning) {
  int globalised = 0, acquires = 0, overwrites = 0, releases = 0, handovers = 0, wrong_without = 0,
      refused_without = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const Maker maker(seed);
    SharingDecisions decisions = decide_sharing(maker.graph, {});
    ASSERT_NO_THROW(verify(maker.graph, decisions)) << "seed " << seed << "\n"
                                                    << printed(maker.graph, decisions);
    SharingDecision& decision = decisions[0];
    if (!decision.is_globalised) continue;
    ++globalised;
    ASSERT_EQ(goes_wrong(maker, decision, 60), "") << "seed " << seed << '\n'
                                                   << printed(maker.graph, decisions);
    handovers += static_cast<int>(decision.handovers.size());
    for (const Insertion& insertion : decision.insertions) {
      acquires += insertion.action == Action::acquire ? 1 : 0;
      overwrites += insertion.action == Action::overwrite ? 1 : 0;
      releases += insertion.action == Action::release ? 1 : 0;
    }
    if (decision.insertions.empty()) continue;
    const Insertion first = decision.insertions.front();
    decision.insertions.erase(decision.insertions.begin());
    if (first.after) continue;
    const bool is_wrong = !goes_wrong(maker, decision, 60).empty(),
               is_found = is_refused(maker.graph, decisions);
    EXPECT_TRUE(!is_wrong || is_found) << "seed " << seed;
    wrong_without += is_wrong ? 1 : 0;
    refused_without += is_found ? 1 : 0;
  }
  // The functions are such that all of this occurs, and that the insertions are needed.
  EXPECT_GT(globalised, 1500);
  EXPECT_GT(acquires, 1000);
  EXPECT_GT(overwrites, 500);
  EXPECT_GT(releases, 300);
  EXPECT_GT(handovers, 500);
  EXPECT_GT(wrong_without, 300);
  EXPECT_GE(refused_without, wrong_without);
}

}  // namespace
}  // namespace kanor::analysis
