// RUN: %kanorc -O1 %s -o %t && %run_everywhere --large --unchecked %t
// Random blocks against a simulation of all ranks in each: who sends what to whom, in which order places are
// updated, which old values are seen, and what a fold gives.
#include "check.hpp"
#include "fold.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int cells = 6;

/// What one rank holds.
struct State {
  std::vector<double> numbers = std::vector<double>(cells);
  std::vector<std::string> texts = std::vector<std::string>(cells);
};

struct Move {
  int sender, from, receiver, to;
};

struct Random {
  std::uint64_t state;
  int below(int bound) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(bound));
  }
};

std::vector<Move> random_moves(Random& random, int ranks) {
  std::vector<Move> moves(random.below(4 * ranks + 1));
  for (Move& move : moves) move = {random.below(ranks), random.below(cells), random.below(ranks), random.below(cells)};
  return moves;
}

double weighted(double a, double b) { return 0.5 * a + b; }

/// The meaning of a reduction, place by place.
template <class T, class Op, class Get>
void fold_moves(std::vector<State>& after, const std::vector<Move>& moves, const Op& op, Get get, const std::vector<State>& before) {
  for (int receiver = 0; receiver < static_cast<int>(after.size()); ++receiver)
    for (int to = 0; to < cells; ++to) {
      std::vector<fold::Contribution<T>> arrived;
      for (const Move& m : moves)
        if (m.receiver == receiver && m.to == to) arrived.push_back({m.sender, get(before[m.sender])[m.from]});
      if (!arrived.empty()) get(after[receiver])[to] = fold::reduced(arrived, op);
    }
}

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  std::vector<State> all(n);  // the simulation
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < cells; ++k) {
      all[r].numbers[k] = r + k / 10.0;
      all[r].texts[k] = std::string(1 + (r * k) % 40, static_cast<char>('a' + (r + k) % 26));
    }
  State mine = all[me];
  const auto numbers = [](auto& state) -> auto& { return state.numbers; };
  const auto texts = [](auto& state) -> auto& { return state.texts; };

  Random random{12345};
  for (int round = 0; round < 60; ++round) {
    const auto moves = random_moves(random, n), others = random_moves(random, n);
    const int count = static_cast<int>(moves.size()), other_count = static_cast<int>(others.size());
    const auto before = all;
    switch (round % 4) {
      case 0:
        @communicate {
          mine.numbers[moves[k].to]@moves[k].receiver <<= mine.numbers[moves[k].from]@moves[k].sender where k in {0 ... count - 1};
          mine.texts[others[k].to]@others[k].receiver <<= mine.texts[others[k].from]@others[k].sender where k in range(0, other_count)
        }
        for (const Move& m : moves) all[m.receiver].numbers[m.to] = before[m.sender].numbers[m.from];
        for (const Move& m : others) all[m.receiver].texts[m.to] = before[m.sender].texts[m.from];
        break;
      case 1:
        @communicate {
          mine.numbers[m.to]@m.receiver << weighted << mine.numbers[m.from]@m.sender where k in {0 ... count - 1}, let m = moves[k];
          mine.numbers[m.to]@m.receiver << + << mine.numbers[m.from]@m.sender where k in {0 ... other_count - 1}, let m = others[k], m.to > 2
        }
        fold_moves<double>(all, moves, weighted, numbers, before);
        {
          std::vector<Move> chosen;
          for (const Move& m : others)
            if (m.to > 2) chosen.push_back(m);
          fold_moves<double>(all, chosen, std::plus<>(), numbers, before);
        }
        break;
      case 2:
        @communicate { mine.texts[moves[k].to]@moves[k].receiver << + << mine.texts[moves[k].from].substr(0, 9)@moves[k].sender where k in {0 ... count - 1} }
        {
          auto cut = before;
          for (State& state : cut)
            for (std::string& text : state.texts) text = text.substr(0, 9);
          fold_moves<std::string>(all, moves, std::plus<>(), texts, cut);
        }
        break;
      default:
        // Whole states, and elements of them in the same block: the later statement wins.
        @communicate {
          mine.numbers@moves[k].receiver <<= mine.numbers@moves[k].sender where k in {0 ... count - 1};
          mine.numbers[others[k].to]@others[k].receiver <<= 1000.0 + k@others[k].sender where k in {0 ... other_count - 1}
        }
        for (const Move& m : moves) all[m.receiver].numbers = before[m.sender].numbers;
        for (int k = 0; k < other_count; ++k) all[others[k].receiver].numbers[others[k].to] = 1000.0 + k;
    }
    CHECK_EQ(mine.numbers, all[me].numbers);
    CHECK_EQ(mine.texts, all[me].texts);
  }
  return check::finish("random_exchange");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
