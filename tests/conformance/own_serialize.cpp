// A class's own serialize says what its value is, also where copying bytes would be possible; wherever the class is.
// RUN: %kanorc %s -o %t && %run_everywhere %t
#include "check.hpp"

#include <array>
#include <cereal/cereal.hpp>
#include <map>
#include <optional>
#include <vector>

namespace {

/// Refers to a number; the number is its value.
struct Reference {
  const int* number = nullptr;
  template <class Archive>
  void save(Archive& archive) const {
    archive(*number);
  }
  template <class Archive>
  void load(Archive& archive) {
    static const std::vector<int> numbers = [] {
      std::vector<int> all(1000);
      for (int i = 0; i < 1000; ++i) all[static_cast<std::size_t>(i)] = i;
      return all;
    }();
    int value = 0;
    archive(value);
    number = &numbers.at(static_cast<std::size_t>(value));
  }
};

struct Pair {
  double first;
  Reference second;
};

/// Sends all but what it remembers.
class Counter {
 public:
  void count() { total_ += ++here_; }
  int total() const { return total_; }
  int here() const { return here_; }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(total_);
  }

 private:
  int total_ = 0;
  int here_ = 0;
};

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  const int next = (me + 1) % n;
  int mine = 10 + me;
  const Reference reference{&mine};
  const Pair pair{2.5, reference};
  const std::vector<Pair> pairs(3, pair);
  const std::array<Reference, 2> array{reference, reference};
  const std::map<int, std::optional<Reference>> map{{me, reference}};
  Counter counter;
  counter.count();

  Reference got;
  Pair got_pair{};
  std::vector<Pair> got_pairs;
  std::array<Reference, 2> got_array;
  std::map<int, std::optional<Reference>> got_map;
  Counter got_counter;
  @communicate {
    got@i <<= reference@(i + 1) % n where i in world;
    got_pair@i <<= pair@(i + 1) % n where i in world;
    got_pairs@i <<= pairs@(i + 1) % n where i in world;
    got_array@i <<= array@(i + 1) % n where i in world;
    got_map@i <<= map@(i + 1) % n where i in world;
    got_counter@i <<= counter@(i + 1) % n where i in world
  }
  mine = -1;  // nobody's value but this rank's
  CHECK_EQ(*got.number, 10 + next);
  CHECK_EQ(*got_pair.second.number, 10 + next);
  CHECK_EQ(*got_pairs.at(2).second.number, 10 + next);
  CHECK_EQ(*got_array[1].number, 10 + next);
  CHECK_EQ(*got_map.at(next)->number, 10 + next);
  CHECK_EQ(got_counter.total(), 1);
  CHECK_EQ(got_counter.here(), 0);
  return check::finish("own_serialize");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
