// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/signals.hpp"

#include "platform/page_faults.hpp"

using ActionSetter = int(int, const struct sigaction*, struct sigaction*);

extern "C" {
// What a sanitizer that is linked into the program offers instead; null without one.
[[gnu::weak]] ActionSetter __interceptor_sigaction;
// The C library's by its other name, which no link wraps and no definition of the runtime's hides.
ActionSetter __sigaction;
}

namespace kanor::rt {

int process_sigaction(int signal, const struct sigaction* action, struct sigaction* before) {
  if (signal == SIGSEGV && change_action_behind_pages(action, before)) return 0;
  return system_sigaction(signal, action, before);
}

int system_sigaction(int signal, const struct sigaction* action, struct sigaction* before) {
  if (__interceptor_sigaction) return __interceptor_sigaction(signal, action, before);
  return __sigaction(signal, action, before);
}

}  // namespace kanor::rt
