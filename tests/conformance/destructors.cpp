// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere %t
// RUN: env KANOR_STATS=1 %run_everywhere --keep KANOR_STATS --ranks 2,3 %t
// Blocks in the destructors of variables with static storage: a rank takes part in them until the last has run, however
// late that is, and however its main has ended.
#include "check.hpp"

#include <cstdlib>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

/// A sum over all ranks as they end, some later than others.
class Sums {
 public:
  explicit Sums(std::string name) : name_(std::move(name)) {}
  ~Sums() {
    const int n = kanor::world.size(), me = kanor::world.rank();
    usleep(static_cast<unsigned>(me) * 3000);
    int sum = 0;
    std::vector<int> from_left;
    @communicate {
      sum@i << + << value@j where i, j in world;
      from_left@(i + 1) % n <<= values@i where i in world
    }
    const int left = (me + n - 1) % n;
    std::printf("%d %s: %d\n", me, name_.c_str(), sum);
    if (sum != n * (n + 1) / 2 || from_left != std::vector<int>(300, left)) kanor::abort(name_ + " is wrong");
  }

  int value = 0;
  std::vector<int> values;

 private:
  std::string name_;
};

void set(Sums& sums) {
  sums.value = kanor::world.rank() + 1;
  sums.values.assign(300, kanor::world.rank());
}

Sums global("global");

struct Member {
  static inline Sums sums{"member"};
};

#ifdef OF_THREAD
thread_local Sums of_thread("thread_local");
#endif

/// The destructor ends the exchange, into variables that are destroyed after it.
std::vector<int> sent, place;
kanor::pending exchange;

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  static Sums local("local");
  for (Sums* const sums : {&local, &Member::sums, &global}) set(*sums);
#ifdef OF_THREAD
  set(of_thread);
#endif
  sent.assign(1000, me);
  @communicate (async = p) { place@(i + 1) % n <<= sent@i where i in world }
  exchange = std::move(p);
  if (me % 2 == 1) std::exit(0);
  return check::finish("destructors");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
