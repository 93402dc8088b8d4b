// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/program_end.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "c_library/lines.hpp"
#include "copies/handlers.hpp"
#include "world/rank_handlers.hpp"
#include "world/rank_main.hpp"

// Programs are linked with --wrap for these.
extern "C" {
int __wrap_atexit(void (*function)());
int __real___cxa_atexit(void (*function)(void*), void* argument, void* object);
int __real_on_exit(void (*function)(int, void*), void* argument);
int __wrap___cxa_atexit(void (*function)(void*), void* argument, void* object);
int __wrap_on_exit(void (*function)(int, void*), void* argument);
// The names for the program's shared libraries (copies/at_exit_of_library.cpp, destructors_of_library.cpp).
[[gnu::alias("__wrap___cxa_atexit")]] int kanor_at_exit(void (*function)(void*), void* argument,
                                                        void* object);
int kanor_atexit(void (*function)(), void* object);
int kanor_on_exit(void (*function)(int, void*), void* argument, void* object);
extern void* __dso_handle;
}

namespace kanor::rt {
namespace {

constinit Handlers handlers;  ///< of the executable
/// False: they are the process's, and the C library calls those that nobody has called before.
constinit std::atomic<bool> are_of_first_rank{false};

/// What the C library calls when the process ends.
void call_for_process(int status, void* handler) {
  if (!are_of_first_rank.load(std::memory_order_acquire))
    static_cast<Handlers::Handler*>(handler)->call(status);
}

/// What it calls when a library is closed: its code is gone afterwards.
void call_for_library(void* handler) { static_cast<Handlers::Handler*>(handler)->call(0); }

void nothing() {}

/// Functions of the runtime among those of the executable: the process calls them.
constexpr void (*of_process[])() = {end_lines_at_exit, end_process_rank};

/// Makes the memory writable, which the dynamic linker may have protected after it has filled it.
bool make_writable(const void* memory, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t start = begin / page * page;
  return ::mprotect(reinterpret_cast<void*>(start), begin + bytes - start, PROT_READ | PROT_WRITE) == 0;
}

struct Taker {
  ProgramEnd* end;
  const Facts* facts;
};

}  // namespace

void ProgramEnd::take_functions(const void* object_base, const void* dynamic_section) {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  for (const auto* entry = static_cast<const ElfW(Dyn)*>(dynamic_section); entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_FINI_ARRAY)
      address = reinterpret_cast<std::uintptr_t>(object_base) + entry->d_un.d_ptr;
    if (entry->d_tag == DT_FINI_ARRAYSZ) bytes = entry->d_un.d_val;
  }
  auto* const functions = reinterpret_cast<Function*>(address);
  if (bytes == 0 || !make_writable(functions, bytes)) return;
  std::vector<Function> taken;
  for (Function* one = functions; one != functions + bytes / sizeof(Function); ++one)
    if (std::find(std::begin(of_process), std::end(of_process), *one) == std::end(of_process)) {
      taken.push_back(*one);
      *one = nothing;
    }
  functions_.insert(functions_.begin(), taken.begin(), taken.end());
}

int ProgramEnd::take_own(dl_phdr_info* object, std::size_t, void* taker) {
  const auto& [end, facts] = *static_cast<const Taker*>(taker);
  std::string_view name = object->dlpi_name;
  name = name.substr(name.find_last_of('/') + 1);
  const bool is_own = name.empty() || std::any_of(facts->libraries.begin(), facts->libraries.end(),
                                                  [&](const OwnLibrary& one) { return one.name == name; });
  if (!is_own) return 0;
  const auto* const base = reinterpret_cast<const char*>(object->dlpi_addr);
  for (const auto* part = object->dlpi_phdr; part != object->dlpi_phdr + object->dlpi_phnum; ++part)
    if (part->p_type == PT_DYNAMIC) end->take_functions(base, base + part->p_vaddr);
  return 0;
}

ProgramEnd& ProgramEnd::of_executable(const Facts& facts, bool is_only_rank) {
  are_of_first_rank.store(!is_only_rank, std::memory_order_release);
  static ProgramEnd& end = *new ProgramEnd([](int status) { handlers.call_all(status); });
  Taker taker{&end, &facts};
  ::dl_iterate_phdr(take_own, &taker);
  return end;
}

ProgramEnd* ProgramEnd::of_copy(void* library) {
  const auto call = reinterpret_cast<CallHandlers>(::dlsym(library, "kanor_call_handlers"));
  const link_map* copy = nullptr;
  if (!call || ::dlinfo(library, RTLD_DI_LINKMAP, &copy) != 0) return nullptr;
  auto* const end = new ProgramEnd(call);
  end->take_functions(reinterpret_cast<const void*>(copy->l_addr), copy->l_ld);
  return end;
}

void ProgramEnd::call(int status) {
  call_handlers_(status);
  while (!functions_.empty()) {
    const Function function = functions_.back();
    functions_.pop_back();
    function();
  }
}

}  // namespace kanor::rt

using namespace kanor::rt;

int __wrap___cxa_atexit(void (*function)(void*), void* argument, void* object) {
  if (is_only_rank_thread()) return call_at_end_of_rank(function, nullptr, argument, object);
  Handlers::Handler* const handler = handlers.add(function, nullptr, argument);
  if (!handler) return -1;
  const bool is_of_library = object && object != &__dso_handle;
  return __real___cxa_atexit(
      is_of_library ? call_for_library : [](void* it) { call_for_process(0, it); }, handler, object);
}

int kanor_atexit(void (*function)(), void* object) {
  auto* const argument = reinterpret_cast<void*>(function);
  return destroys_variables_of_rank() ? call_at_end_of_rank(Handlers::call_plain, nullptr, argument, object)
                                      : __wrap___cxa_atexit(Handlers::call_plain, argument, object);
}

int kanor_on_exit(void (*function)(int, void*), void* argument, void* object) {
  if (destroys_variables_of_rank()) return call_at_end_of_rank(nullptr, function, argument, object);
  Handlers::Handler* const handler = handlers.add(nullptr, function, argument);
  return handler ? __real_on_exit(call_for_process, handler) : -1;
}

int __wrap_atexit(void (*function)()) { return kanor_atexit(function, &__dso_handle); }

int __wrap_on_exit(void (*function)(int, void*), void* argument) {
  return kanor_on_exit(function, argument, &__dso_handle);
}
