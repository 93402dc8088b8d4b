// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of checked mode: what may be done with their memory, and what is known of it.
#include "ownership/checked_buffers.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "job/failure.hpp"
#include "ownership/passing.hpp"
#include "platform/machine.hpp"
#include "platform/pages.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt {
namespace {

constexpr Place made_at{"m.c", 3}, lost_at{"l.c", 12};
constexpr Loss given{Loss::How::given, "", lost_at, 4};

class Checked : public ::testing::Test {
 protected:
  Checked() { job_.home.switches.check = true; }
  Region& made(std::size_t bytes) { return allocate_owned(ranks_[0], bytes, "OPI_Alloc", made_at); }
  CheckedBuffers& buffers() { return CheckedBuffers::of(ranks_[0]); }

  TestJob job_{1};
  Played ranks_{job_};
};

/// Whether the byte can be read, and written: what the system says of it, without a fault.
bool can_be_read(const void* byte) {
  int ends[2];
  if (::pipe(ends) != 0) return false;
  const bool can = ::write(ends[1], byte, 1) == 1;
  ::close(ends[0]);
  ::close(ends[1]);
  return can;
}
bool can_be_written(void* byte) {
  int ends[2];
  if (::pipe(ends) != 0) return false;
  const bool can = ::write(ends[1], "x", 1) == 1 && ::read(ends[0], byte, 1) == 1;
  ::close(ends[0]);
  ::close(ends[1]);
  return can;
}

std::size_t pieces_of_memory() {
  std::ifstream maps("/proc/self/maps");
  std::size_t lines = 0;
  for (std::string line; std::getline(maps, line);) ++lines;
  return lines;
}

TEST_F(Checked, LostMemoryCanNeitherBeReadNorWritten) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{100'000}}) {
    Region& buffer = made(bytes);
    auto* const elements = static_cast<std::byte*>(buffer.object());
    EXPECT_TRUE(can_be_written(elements) && can_be_read(elements));
    EXPECT_EQ(buffers().find(elements), &buffer);
    EXPECT_EQ(buffers().what_is(elements + 1),
              "it points to byte 1 of a buffer of " + std::to_string(bytes) +
                  " bytes that OPI_Alloc at m.c:3 returned, and must point to its beginning");
    buffers().lose(buffer, given);
    for (const std::size_t at : {std::size_t{0}, bytes / 2, bytes - (bytes > 0 ? 1 : 0)})
      EXPECT_FALSE(can_be_read(elements + at) || can_be_written(elements + at)) << at << " of " << bytes;
    EXPECT_EQ(buffers().find(elements), nullptr);
    EXPECT_EQ(buffers().what_is(elements), "the buffer was given to rank 4 at l.c:12");
    EXPECT_EQ(buffers().what_is(elements + 7),
              "it points to byte 7 of a buffer: the buffer was given to rank 4 at l.c:12");
  }
}

TEST_F(Checked, SharedMemoryCanOnlyBeRead) {
  Region& buffer = made(5000);
  auto* const elements = static_cast<std::byte*>(buffer.object());
  for (int round = 0; round < 2; ++round) {
    EXPECT_FALSE(is_read_by_others(ranks_[0], buffer));
    buffers().close_for_writing(buffer, "OPI_Bcast", lost_at);
    buffers().close_for_writing(buffer, "OPI_Bcast", lost_at);
    EXPECT_TRUE(is_read_by_others(ranks_[0], buffer));
    EXPECT_TRUE(can_be_read(elements + 4999));
    EXPECT_FALSE(can_be_written(elements + 4999) || can_be_written(elements));
    EXPECT_EQ(Quarantine::instance().find(elements + 9).loss.how, Loss::How::shared);
    own(ranks_[0], buffer, "OPI_Own", made_at);
    EXPECT_TRUE(can_be_written(elements + 4999));
    EXPECT_EQ(Quarantine::instance().find(elements + 9).loss.how, Loss::How::nothing);
  }
  buffers().close_for_writing(buffer, "OPI_Bcast", lost_at);
  free_owned(ranks_[0], buffer, "OPI_Free", lost_at);
  EXPECT_FALSE(can_be_read(elements));
  EXPECT_EQ(buffers().what_is(elements), "the buffer was freed by OPI_Free at l.c:12");
}

TEST_F(Checked, WhatWasBorrowedIsNoBuffer) {
  Region& buffer = buffers().make(100, CheckedBuffers::Kind::borrowed, "OPI_Borrow", made_at);
  EXPECT_EQ(buffers().find(buffer.object()), nullptr);
  EXPECT_EQ(buffers().what_is(buffer.object()),
            "OPI_Borrow at m.c:3 has borrowed the elements that it points to, which belong to the lender");
  buffers().lose(buffer, {Loss::How::returned, "OPI_Return", lost_at, 2});
  EXPECT_EQ(buffers().what_is(&buffer + 1), "its elements were returned to rank 2 at l.c:12");
}

/// A loss that is told from others by its line.
Loss loss_number(std::size_t number) {
  return {Loss::How::given, "", {"l.c", static_cast<int>(number) + 1}, 4};
}
bool is_known(const CheckedBuffers& buffers, const void* elements, std::size_t number) {
  return buffers.what_is(elements) == "the buffer was given to rank 4 at l.c:" + std::to_string(number + 1);
}

// Of many buffers the latest are known, and the process's memory is cut into a bounded number of pieces.
TEST_F(Checked, TheLatestLossesAreKnown) {
  constexpr std::size_t count = Quarantine::most_buffers + 3000;
  const std::size_t before = pieces_of_memory();
  std::vector<const void*> lost;
  for (std::size_t i = 0; i < count; ++i) {
    Region& buffer = made(10);
    Region& kept = made(10);  // between them, so that closed pages do not become one piece
    lost.push_back(buffer.object());
    buffers().lose(buffer, loss_number(i));
    if (i % 2 != 0) buffers().unmake(kept);
  }
  EXPECT_LE(pieces_of_memory(), before + 4 * Quarantine::most_buffers);
  // Some, and those about the limit.
  constexpr std::size_t first_known = count - Quarantine::most_buffers;
  for (std::size_t i = 0; i<count; i += i + 2> first_known && i < first_known + 2 ? 1 : 61)
    ASSERT_EQ(is_known(buffers(), lost[i], i), i >= first_known) << i;
  Quarantine::instance().give_up();
  EXPECT_EQ(buffers().what_is(lost.back()), "");
}

TEST_F(Checked, AddressesAreBoundedToo) {
  constexpr std::size_t bytes = Quarantine::most_bytes / 4;
  std::vector<const void*> lost;
  for (std::size_t i = 0; i < 6; ++i) {
    lost.push_back(made(bytes).object());
    buffers().lose(Region::of(const_cast<void*>(lost.back())), loss_number(i));
  }
  // Each has a page more than a quarter.
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(is_known(buffers(), lost[i], i), i >= 3) << i;
}

TEST_F(Checked, TheRanksEndGivesBuffersBack) {
  const void* elements = nullptr;
  {
    TestJob job(1);
    job.home.switches.check = true;
    Played other(job);
    Region& buffer = allocate_owned(other[0], 100, "OPI_Alloc", made_at);
    CheckedBuffers::of(other[0]).close_for_writing(buffer, "OPI_Bcast", lost_at);
    elements = buffer.object();
  }
  EXPECT_FALSE(can_be_read(elements));
  EXPECT_EQ(Quarantine::instance().find(elements).loss.how, Loss::How::nothing);
}

// A fault is explained by whoever has it; the signal goes on to who handled it before.
TEST(CheckedDeathTest, AFaultSaysWhatBecameOfTheBuffer) {
  const auto fault = [](Loss::How how, bool writes) {
    TestJob job(1);
    job.home.switches.check = true;
    watch_failures(job.control, [](int status) { ::_exit(status); });
    install_crash_handlers();
    job.run_rank(0, [&] {
      Region& buffer = allocate_owned(here(), 300, "OPI_Alloc", made_at);
      auto* const elements = static_cast<volatile char*>(buffer.object());
      CheckedBuffers& buffers = CheckedBuffers::of(here());
      job.control.set_settled();
      if (how == Loss::How::shared)
        buffers.close_for_writing(buffer, "OPI_Bcast", lost_at);
      else if (how != Loss::How::nothing)
        buffers.lose(buffer, {how, "OPI_Free", lost_at, 2});
      std::byte* const others = map_pages(page_bytes());
      set_access(others, page_bytes(), Access::none);
      volatile char* const at =
          how == Loss::How::nothing ? reinterpret_cast<volatile char*>(others) : elements + 17;
      if (writes)
        *at = 'x';
      else
        (void)*at;
    });
  };
  const auto expect = [&](Loss::How how, bool writes, const char* text) {
    EXPECT_DEATH(fault(how, writes), text);
  };
  expect(
      Loss::How::given, false,
      "rank 0: segmentation fault: use after give: byte 17 of a buffer of 300 bytes was read; the buffer was "
      "given to rank 2 at l.c:12\n");
  expect(Loss::How::freed, true,
         "rank 0: segmentation fault: use after free: byte 17 of a buffer of 300 bytes was written; the "
         "buffer was "
         "freed by OPI_Free at l.c:12\n");
  expect(Loss::How::returned, true,
         "use after return: .* written; its elements were returned to rank 2 at l.c:12\n");
  expect(Loss::How::shared, true,
         "write to a shared buffer: .*; several ranks read it since OPI_Bcast at l.c:12; call OPI_Own before "
         "writing it\n");
  expect(Loss::How::nothing, true, "rank 0: segmentation fault\n");
}

}  // namespace
}  // namespace kanor::rt
