// RUN: %kanorc %s -o %t && %run_everywhere --modes threads --ranks 1,2,4 %t
// A class that says so travels as it is between ranks that share addresses, whatever it refers to; alone and inside of others.
#include "check.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

struct [[kanor::same_address_space]] Handle {
  std::shared_ptr<std::string> text;
  const int* number = nullptr;
  std::function<int()> call;
};

/// Has what no other aggregate may have: nobody takes it apart.
struct [[kanor::same_address_space]] Overlaid {
  std::string name;
  unsigned low : 3;
  union {
    int number;
    const int* pointer;
  };
};

struct Labelled {
  std::string label;
  std::vector<Handle> handles;
};

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank(), left = (me + n - 1) % n;
  int mine = 100 + me;
  const Handle handle{std::make_shared<std::string>("rank " + std::to_string(me)), &mine, [me] { return 7 * me; }};
  const Labelled labelled{"of " + std::to_string(me), {handle, handle}};
  Handle got;
  Labelled got_labelled;
  std::map<int, Handle> all;
  @communicate {
    got@(i + 1) % n <<= handle@i where i in world;
    got_labelled@(i + 1) % n <<= labelled@i where i in world;
    all[i]@j <<= handle@i where i, j in world
  }
  CHECK_EQ(*got.text, "rank " + std::to_string(left));
  CHECK_EQ(*got.number, 100 + left);
  CHECK_EQ(got.call(), 7 * left);
  CHECK_EQ(got_labelled.label, "of " + std::to_string(left));
  CHECK_EQ(*got_labelled.handles.at(1).text, "rank " + std::to_string(left));
  for (int i = 0; i < n; ++i) CHECK_EQ(*all.at(i).number, 100 + i);
  Overlaid overlaid{"of " + std::to_string(me), static_cast<unsigned>(me) & 7u, {.number = me}}, got_overlaid{};
  @communicate { got_overlaid@(i + 1) % n <<= overlaid@i where i in world }
  CHECK_EQ(got_overlaid.name, "of " + std::to_string(left));
  CHECK_EQ(got_overlaid.low + 0, static_cast<unsigned>(left) & 7u);
  CHECK_EQ(got_overlaid.number, left);
  // What others refer to must outlive them.
  int done = 0;
  @communicate { done@i << + << 1@j where i, j in world }
  CHECK_EQ(done, n);
  return check::finish("same_addresses");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
