// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: jobs whose ranks execute blocks, and the pieces of blocks as kanorc emits them.
#pragma once

#include "kanor/abi/block.hpp"
#include "kanor/kanor.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt {
/// The file of a test's blocks, at one address, by which statistics find it.
inline constexpr char test_file[] = "test.cpp";

/// As on_all_jobs, and where messages between ranks must be acknowledged.
inline void everywhere(const std::function<void()>& body) {
  on_all_jobs(body);
  for (const int ranks : {1, 2, 3, 5, 8}) {
    SCOPED_TRACE(testing::Message() << ranks << " ranks that acknowledge");
    TestJob job(ranks, false, 3'000);
    job.transport.shares_memory = false;
    job.run(body);
  }
}
}  // namespace kanor::rt

#define BLOCK abi::block block({test_file, __LINE__, "test"})
#define SITE \
  { __LINE__, "a statement", "i, j" }
/// As SITE, for a statement with a form.
#define FORM(form) \
  { __LINE__, "a statement", "i, j", 0, form }
#define AT(place) [&](auto kanor_at) { return kanor_at(place); }
#define SEND(value) [&](auto kanor_send) { return kanor_send(value); }
#define CARRY(...) [&](auto kanor_carry) { return kanor_carry(__VA_ARGS__); }
/// A function that is only asked for its result's type may end without one.
#define NEVER __builtin_unreachable()
