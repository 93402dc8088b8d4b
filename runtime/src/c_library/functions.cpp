// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's functions whose state is each rank's own, on its reentrant ones. Linked with --wrap, so
// that calls come here wherever the libraries stand; under the C library's own names for the calls of shared
// libraries, weak because a program without these has the C library's beside them.
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <iterator>

#include "c_library/library_state.hpp"
#include "c_library/own_name.hpp"
#include "kanor/abi/hidden_state.hpp"

using kanor::rt::library_state;
using kanor::rt::LibraryState;

#define KANOR_WRAPPED(name) extern "C" decltype(name) __wrap_##name;
KANOR_OWN_STATE(KANOR_WRAPPED)

namespace {

/// The calling rank's state, locked.
class Held {
 public:
  Held() : state_(library_state()), guard_(state_.lock) {}
  LibraryState* operator->() const { return &state_; }
  LibraryState& operator*() const { return state_; }

 private:
  LibraryState& state_;
  const std::lock_guard<std::mutex> guard_;
};

long next_random() {
  const Held state;
  std::int32_t value = 0;
  ::random_r(&state->random, &value);
  return value;
}

/// The result of initstate() and setstate(): the table that was given.
char* table_of(const LibraryState& state) { return reinterpret_cast<char*>(state.random.state - 1); }

template <class Value, class Function, class... Arguments>
Value next48(Function* function, Arguments... arguments) {
  const Held state;
  Value value{};
  function(arguments..., &state->drand48, &value);
  return value;
}

/// The text of asctime(), which has more than asctime_r() has room for: years of more than four digits.
char* text_of(LibraryState& state, const tm* time) {
  constexpr const char* days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (!time) {
    errno = EINVAL;
    return nullptr;
  }
  if (time->tm_year > INT_MAX - 1900) {
    errno = EOVERFLOW;
    return nullptr;
  }
  const bool has_day = time->tm_wday >= 0 && time->tm_wday < std::ssize(days);
  const bool has_month = time->tm_mon >= 0 && time->tm_mon < std::ssize(months);
  std::snprintf(state.time_text, sizeof state.time_text, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n",
                has_day ? days[time->tm_wday] : "???", has_month ? months[time->tm_mon] : "???",
                time->tm_mday, time->tm_hour, time->tm_min, time->tm_sec, 1900 + time->tm_year);
  return state.time_text;
}

/// localtime() on the rank's state: looks at TZ each time, which localtime_r() need not.
tm* local_time(LibraryState& state, const time_t* time) {
  ::tzset();
  return ::localtime_r(time, &state.broken_down_time);
}

}  // namespace

int __wrap_rand() noexcept { return static_cast<int>(next_random()); }
long __wrap_random() noexcept { return next_random(); }

void __wrap_srandom(unsigned seed) noexcept {
  const Held state;
  ::srandom_r(seed, &state->random);
}
void __wrap_srand(unsigned seed) noexcept { __wrap_srandom(seed); }

char* __wrap_initstate(unsigned seed, char* table, size_t bytes) noexcept {
  const Held state;
  char* const before = table_of(*state);
  return ::initstate_r(seed, table, bytes, &state->random) < 0 ? nullptr : before;
}

char* __wrap_setstate(char* table) noexcept {
  const Held state;
  char* const before = table_of(*state);
  return ::setstate_r(table, &state->random) < 0 ? nullptr : before;
}

double __wrap_drand48() noexcept { return next48<double>(&::drand48_r); }
double __wrap_erand48(unsigned short* x) noexcept { return next48<double>(&::erand48_r, x); }
long __wrap_lrand48() noexcept { return next48<long>(&::lrand48_r); }
long __wrap_nrand48(unsigned short* x) noexcept { return next48<long>(&::nrand48_r, x); }
long __wrap_mrand48() noexcept { return next48<long>(&::mrand48_r); }
long __wrap_jrand48(unsigned short* x) noexcept { return next48<long>(&::jrand48_r, x); }

void __wrap_srand48(long seed) noexcept {
  const Held state;
  ::srand48_r(seed, &state->drand48);
}

unsigned short* __wrap_seed48(unsigned short* seed) noexcept {
  const Held state;
  ::seed48_r(seed, &state->drand48);
  return state->drand48.__old_x;
}

void __wrap_lcong48(unsigned short* parameters) noexcept {
  const Held state;
  ::lcong48_r(parameters, &state->drand48);
}

char* __wrap_strtok(char* text, const char* separators) noexcept {
  const Held state;
  return ::strtok_r(text, separators, &state->rest_of_tokens);
}

tm* __wrap_localtime(const time_t* time) noexcept {
  const Held state;
  return local_time(*state, time);
}

tm* __wrap_gmtime(const time_t* time) noexcept {
  const Held state;
  return ::gmtime_r(time, &state->broken_down_time);
}

char* __wrap_asctime(const tm* time) noexcept {
  const Held state;
  return text_of(*state, time);
}

char* __wrap_ctime(const time_t* time) noexcept {
  const Held state;
  return text_of(*state, local_time(*state, time));
}

int __wrap_hcreate(size_t entries) noexcept {
  const Held state;
  return ::hcreate_r(entries, &state->table);
}

ENTRY* __wrap_hsearch(ENTRY entry, ACTION action) noexcept {
  const Held state;
  ENTRY* found = nullptr;
  ::hsearch_r(entry, action, &found, &state->table);
  return found;
}

void __wrap_hdestroy() noexcept {
  const Held state;
  ::hdestroy_r(&state->table);
}

KANOR_OWN_STATE(KANOR_UNDER_OWN_NAME)
