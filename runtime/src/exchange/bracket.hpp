// The bracketing of reductions, which the language fixes so that results are the same bits everywhere.
#pragma once

#include <cstddef>
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

  void push(Term term) {
    unsigned char level = 0;
    while (depth_ > 0 && held_[depth_ - 1].level == level) {
      combine_(held_[depth_ - 1].term, term);
      term = std::move(held_[--depth_].term);
      ++level;
    }
    held_[depth_].term = std::move(term);
    held_[depth_].level = level;
    ++depth_;
  }

  bool empty() const { return depth_ == 0; }

  /// The fold of all terms since the start or the last finish(); there must be one.
  Term finish() {
    while (depth_ > 1) {
      combine_(held_[depth_ - 2].term, held_[depth_ - 1].term);
      --depth_;
    }
    depth_ = 0;
    return std::move(held_[0].term);
  }

 private:
  struct Held {
    Term term{};
    unsigned char level = 0;
  };
  Combine combine_;
  int depth_ = 0;
  Held held_[65];  ///< [0, depth_) are valid; their levels fall strictly
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

  /// There must have been a term.
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
