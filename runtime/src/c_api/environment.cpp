// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/mpi.h: starting and ending, threads, time, names, memory.
#include "c_api/environment.hpp"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "c_api/calls.hpp"
#include "job/failure.hpp"
#include "platform/machine.hpp"
#include "world/facts.hpp"
#include "world/rank_main.hpp"

namespace kanor::rt::c_api {
namespace {

/// What a rank of this process has done, for calls outside of ranks: in handlers of libraries that the
/// process calls at its end.
std::atomic<bool> one_is_initialised{false}, one_is_finalised{false};

/// No level of threads.
constexpr int none = -1;
/// The level of threads that a static constructor has asked for, before there are ranks.
std::atomic<int> early_thread_level{none};

double seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Whether kanorc has linked the program, and not as one of MPI: then MPI is there from the beginning.
bool is_kanor_program() {
  static const bool is_one = [] {
    const Facts facts = program_facts();
    return facts.linked_by_kanorc && !facts.is_mpi_program;
  }();
  return is_one;
}

/// Writes a text of less than `most` characters, and its length.
void write_text(std::string_view words, std::size_t most, char* text, int* length) {
  result_at(text);
  words = words.substr(0, most - 1);
  result_at(length) = static_cast<int>(words.size());
  std::memcpy(text, words.data(), words.size());
  text[words.size()] = '\0';
}

void begin(Rank& self, Environment& environment, int thread_level) {
  if (thread_level == MPI_THREAD_MULTIPLE) take_turns(self);
  environment.is_initialised = true;
  environment.thread_level = thread_level;
  environment.main_thread = ::pthread_self();
  one_is_initialised = true;
}

/// Begins MPI for the rank that the program will be, if the caller is a static constructor.
bool begin_early(int thread_level) {
  if (here_or_null() || ranks_have_begun()) return false;
  early_thread_level = thread_level;
  one_is_initialised = true;
  return true;
}

/// Runs the body of a function that may be called anywhere: with the calling thread's rank, or null.
template <class Body>
int anywhere(const char* call, Body body) {
  if (Rank* const self = here_or_null()) return handled(*self, call, [&] { return body(self); });
  try {
    return body(nullptr);
  } catch (const CallError& error) {
    return error.error;
  }
}

}  // namespace

void take_early_start(Rank& rank, Environment& environment) {
  // Another rank that is a thread runs constructors of its own.
  const bool is_first = rank.home.own_process || rank.number == rank.home.control.first();
  const int level = early_thread_level;
  if (is_first && level != none) begin(rank, environment, level);
}

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Init(int*, char***) {
  if (begin_early(MPI_THREAD_SINGLE)) return MPI_SUCCESS;
  Rank& self = caller();
  return handled(self, "MPI_Init", [&] {
    begin(self, Calls::of(self).environment, MPI_THREAD_SINGLE);
    return MPI_SUCCESS;
  });
}

int MPI_Init_thread(int*, char***, int required, int* provided) {
  const bool is_level = required >= MPI_THREAD_SINGLE && required <= MPI_THREAD_MULTIPLE;
  if (is_level && provided && begin_early(required)) {
    *provided = required;
    return MPI_SUCCESS;
  }
  Rank& self = caller();
  return handled(self, "MPI_Init_thread", [&] {
    if (!is_level)
      throw CallError{MPI_ERR_ARG, "there is no level " + std::to_string(required) + " of threads"};
    result_at(provided) = required;
    begin(self, Calls::of(self).environment, required);
    return MPI_SUCCESS;
  });
}

int MPI_Finalize() {
  Rank& self = caller();
  return handled(self, "MPI_Finalize", [&] {
    Calls& calls = Calls::of(self);
    calls.self.attributes.remove_all(MPI_COMM_SELF);
    // The program may free, from here on, what a request that nobody has waited for still sends.
    calls.requests.for_each([](Request& request) {
      for (Offer& offer : request.offers) offer.end();
    });
    calls.environment.is_finalised = true;
    calls.environment.is_closed = !is_kanor_program();
    one_is_finalised = true;
    return MPI_SUCCESS;
  });
}

int MPI_Initialized(int* flag) {
  return anywhere("MPI_Initialized", [&](Rank* self) {
    const bool is = self ? Calls::of(*self).environment.is_initialised : one_is_initialised.load();
    result_at(flag) = is || is_kanor_program();
    return MPI_SUCCESS;
  });
}

int MPI_Finalized(int* flag) {
  return anywhere("MPI_Finalized", [&](Rank* self) {
    result_at(flag) = self ? Calls::of(*self).environment.is_finalised : one_is_finalised.load();
    return MPI_SUCCESS;
  });
}

int MPI_Query_thread(int* provided) {
  Rank& self = caller();
  return handled(self, "MPI_Query_thread", [&] {
    result_at(provided) = Calls::of(self).environment.thread_level;
    return MPI_SUCCESS;
  });
}

int MPI_Is_thread_main(int* flag) {
  Rank& self = caller();
  return handled(self, "MPI_Is_thread_main", [&] {
    const Environment& environment = Calls::of(self).environment;
    result_at(flag) =
        environment.is_initialised && ::pthread_equal(environment.main_thread, ::pthread_self());
    return MPI_SUCCESS;
  });
}

int MPI_Abort(MPI_Comm, int status) {
  const int shown = status == 0 ? 1 : status;
  report(current_rank(), "MPI_Abort with status " + std::to_string(status));
  end_job(shown);
}

double MPI_Wtime() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return seconds(now);
}

double MPI_Wtick() {
  timespec resolution{};
  ::clock_getres(CLOCK_MONOTONIC, &resolution);
  return seconds(resolution);
}

int MPI_Get_processor_name(char* name, int* length) {
  Rank& self = caller();
  return handled(self, "MPI_Get_processor_name", [&] {
    write_text(host_name(), MPI_MAX_PROCESSOR_NAME, name, length);
    return MPI_SUCCESS;
  });
}

int MPI_Get_version(int* version, int* subversion) {
  return anywhere("MPI_Get_version", [&](Rank*) {
    result_at(version) = MPI_VERSION;
    result_at(subversion) = MPI_SUBVERSION;
    return MPI_SUCCESS;
  });
}

int MPI_Get_library_version(char* version, int* length) {
  return anywhere("MPI_Get_library_version", [&](Rank*) {
    write_text("Kanor " KANOR_VERSION, MPI_MAX_LIBRARY_VERSION_STRING, version, length);
    return MPI_SUCCESS;
  });
}

int MPI_Pcontrol(const int, ...) { return MPI_SUCCESS; }

int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info hints, void* base) {
  Rank& self = caller();
  return handled(self, "MPI_Alloc_mem", [&] {
    constexpr std::size_t alignment = 64;
    void*& pointer = result_at(static_cast<void**>(base));
    pointer = nullptr;
    if (bytes < 0) throw CallError{MPI_ERR_ARG, "the number of bytes is " + std::to_string(bytes)};
    check_hints(self, hints);
    if (::posix_memalign(&pointer, alignment, static_cast<std::size_t>(bytes)) != 0)
      throw CallError{MPI_ERR_NO_MEM, "there is no memory of " + std::to_string(bytes) + " bytes"};
    return MPI_SUCCESS;
  });
}

int MPI_Free_mem(void* base) {
  std::free(base);
  return MPI_SUCCESS;
}

KANOR_PROFILED(Init)
KANOR_PROFILED(Init_thread)
KANOR_PROFILED(Finalize)
KANOR_PROFILED(Initialized)
KANOR_PROFILED(Finalized)
KANOR_PROFILED(Query_thread)
KANOR_PROFILED(Is_thread_main)
KANOR_PROFILED(Abort)
KANOR_PROFILED(Wtime)
KANOR_PROFILED(Wtick)
KANOR_PROFILED(Get_processor_name)
KANOR_PROFILED(Get_version)
KANOR_PROFILED(Get_library_version)
KANOR_PROFILED(Pcontrol)
KANOR_PROFILED(Alloc_mem)
KANOR_PROFILED(Free_mem)
