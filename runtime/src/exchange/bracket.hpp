// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bracketing of reductions, which the language fixes so that results are the same bits everywhere.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace kanor::rt {

/// Folds a sequence of terms by F, where F of m terms is F(first 2^k) op F(the rest), 2^k the largest power
/// of two below m. The terms come one by one; at most one for each bit of their number is held.
///
///     13 terms:   [8 terms] [4] [1]      like the bits of a binary counter: equal neighbours are folded at
///                                        once, and what is left at the end from the right
///
/// `Combine` is called as combine(into, other) and replaces `into` by `into op other`; `other` is the later
/// one.
template <class Term, class Combine>
class Bracket {
 public:
  explicit Bracket(Combine combine) : combine_(combine) {}
  Bracket(const Bracket&) = delete;
  Bracket& operator=(const Bracket&) = delete;
  ~Bracket() {
    while (depth_ > 0) drop();
  }

  void push(Term term) {
    unsigned char level = 0;
    while (depth_ > 0 && top().level == level) {
      combine_(top().term, term);
      term = std::move(top().term);
      drop();
      ++level;
    }
    std::construct_at(&held(depth_++), Held{std::move(term), level});
  }

  bool empty() const { return depth_ == 0; }

  /// Returns the fold of all terms since the start or the last finish(); there must be one.
  Term finish() {
    while (depth_ > 1) {
      combine_(held(depth_ - 2).term, top().term);
      drop();
    }
    Term result = std::move(top().term);
    drop();
    return result;
  }

 private:
  struct Held {
    Term term;
    unsigned char level;
  };
  static constexpr std::size_t most_levels = 65;

  Held& held(int at) { return reinterpret_cast<Held*>(room_)[at]; }
  Held& top() { return held(depth_ - 1); }
  void drop() { std::destroy_at(&held(--depth_)); }

  Combine combine_;
  int depth_ = 0;
  /// Room for Held, of which `depth_` exist; their levels fall strictly. Mostly a few: making all of them
  /// would cost more than they do.
  alignas(Held) std::byte room_[most_levels * sizeof(Held)];
};

/// A reduction's whole bracketing: each maximal run of one sender's terms is folded by F, then the runs'
/// results.
template <class Term, class Combine>
class RunBracket {
 public:
  explicit RunBracket(Combine combine) : run_(combine), runs_(combine) {}

  void push(int sender, Term term) {
    if (sender != sender_ && !run_.empty()) runs_.push(run_.finish());
    sender_ = sender;
    run_.push(std::move(term));
  }

  /// Returns the reduction; there must have been a term.
  Term finish() {
    runs_.push(run_.finish());
    return runs_.finish();
  }

 private:
  int sender_ = -1;
  Bracket<Term, Combine> run_;
  Bracket<Term, Combine> runs_;
};

}  // namespace kanor::rt
