// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every row of tests/models/ownership_steps.txt is what the runtime does; the model is checked against the
// same table.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "ownership/region.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt {
namespace {

struct Row {
  std::string state, step, next, memory, old;
};

std::vector<Row> rows() {
  std::ifstream file(KANOR_OWNERSHIP_STEPS);
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    Row row;
    words >> row.state >> row.step >> row.next >> row.memory >> row.old;
    rows.push_back(row);
  }
  return rows;
}

using Array = char[200'000];
int destroyed = 0;

class Variable : public abi::globalised<Array> {
 public:
  using region_handle::adopt;
  using region_handle::borrow;
  using region_handle::is_sole;
  using region_handle::refer;
  using region_handle::references_;

  /// As acquire(), but another holder lets go meanwhile.
  void acquire_abandoned(Region& shared) {
    static Region* other;
    other = &shared;
    const abi::region_kind kind{sizeof(Array),
                                true,
                                nullptr,
                                nullptr,
                                [](void*, const void*, std::size_t, std::size_t most) {
                                  rt::let_go(*other);
                                  return most;
                                },
                                nullptr};
    acquire_or_copy(kind);
  }
};

void set_value(Variable& variable, char value) { std::memset(*variable.get(), value, sizeof(Array)); }

std::string state_of(const Variable& variable) {
  if (!variable.get()) return "none";
  return variable.is_sole() ? "sole" : "shared";
}

/// Does a row's step to a variable in the row's state, and compares. `references` are all that others hold.
void check(const Row& row) {
  SCOPED_TRACE(row.state + " " + row.step);
  Variable variable;
  set_value(variable, 'a');
  Region* const region = row.state == "none" ? nullptr : &Region::of(variable.get());
  std::vector<Region*> references;
  if (row.state == "none") variable.release();
  if (row.state == "shared") {
    share(*region);
    references.push_back(region);
  }
  if (row.step == "adopt_same") {  // and there are others yet
    share(*region);
    references.push_back(region);
  }
  if (row.step.ends_with("_stock")) {
    variable.refer(false);
    references.push_back(region);
    ASSERT_GT(variable.references_, 1u);
  }
  Variable borrower;
  if (row.step == "take_back") borrower.borrow(variable);
  ASSERT_EQ(state_of(variable), row.state);
  destroyed = 0;
  if (region) region->destroy = [](void*) { ++destroyed; };
  const std::uint32_t before = region ? region->references.load() : 0;

  const auto send = [&](bool gives) {
    variable.refer(gives);
    references.push_back(region);
  };
  Variable sender;  // of what arrives
  set_value(sender, 'b');
  void* const arriving = sender.get();
  const std::map<std::string, std::function<void()>> steps{
      {"read", [&] { EXPECT_EQ((**variable.get()), 'a'); }},
      {"acquire", [&] { variable.acquire(); }},
      {"acquire_abandoned",
       [&] {
         references.clear();
         variable.acquire_abandoned(*region);
       }},
      {"overwrite", [&] { variable.overwrite(); }},
      {"release", [&] { variable.release(); }},
      {"share", [&] { send(false); }},
      {"share_stock", [&] { send(false); }},
      // As blocks do it: references for the messages, then what the variable has left goes.
      {"give",
       [&] {
         send(true);
         variable.give().handle->release();
       }},
      {"give_stock",
       [&] {
         send(true);
         variable.give().handle->release();
       }},
      {"adopt_given",
       [&] {
         sender.refer(true);
         sender.release();
         variable.adopt(arriving);
       }},
      {"adopt_shared",
       [&] {
         sender.refer(false);
         variable.adopt(arriving);
       }},
      {"take_back", [&] { borrower.release(); }},
      {"adopt_same",
       [&] {
         references.pop_back();
         variable.adopt(region->object());
       }},
  };
  ASSERT_TRUE(steps.contains(row.step));
  steps.at(row.step)();

  EXPECT_EQ(state_of(variable), row.next);
  const void* const object = variable.get();
  const void* const own = region ? region->object() : nullptr;
  const std::string memory = !object              ? "none"
                             : object == own      ? "same"
                             : object == arriving ? "arrived"
                             : row.step == "acquire" && row.state == "shared" && **variable.get() == 'a'
                                 ? "copy"
                                 : "new";
  EXPECT_EQ(memory, row.memory);
  std::string old = "none";
  if (region) {
    EXPECT_LE(destroyed, 1);
    const std::uint32_t now = destroyed ? 0 : region->references.load();
    old = destroyed ? "freed" : now > before ? "more" : now < before ? "fewer" : "same";
    // The counter is the number of references, whatever the step.
    if (!destroyed) {
      EXPECT_EQ(now, references.size() + (object == own ? variable.references_ : 0));
    }
  }
  EXPECT_EQ(old, row.old);
  for (Region* const reference : references) let_go(*reference);
  variable.release();
  EXPECT_EQ(destroyed, region ? 1 : 0);
}

TEST(OwnershipSteps, AreThoseOfTheTable) {
  const std::vector<Row> all = rows();
  ASSERT_GE(all.size(), 20u);
  TestJob(1).run_rank(0, [&] {
    for (const Row& row : all) check(row);
  });
}

}  // namespace
}  // namespace kanor::rt
