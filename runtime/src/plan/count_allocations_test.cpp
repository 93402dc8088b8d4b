// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/count_allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

// In a file of its own, so that no compiler sees free() meet what new gave.

namespace {
std::atomic<std::size_t> total{0};
}

std::size_t kanor::rt::plan::allocated_bytes() { return total.load(std::memory_order_relaxed); }

void* operator new(std::size_t bytes) {
  total.fetch_add(bytes, std::memory_order_relaxed);
  if (void* const memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
