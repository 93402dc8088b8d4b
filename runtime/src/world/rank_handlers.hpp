// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rank of a program with blocks registers for its end: atexit(), on_exit().
#pragma once

#include "copies/handlers.hpp"

namespace kanor::rt {

/// Returns true if the calling thread is a rank's own and destroys the rank's variables when it ends. What it
/// registers for its end then belongs among these destructors, in the reverse order of all.
bool destroys_variables_of_rank();

/// Returns true if, besides, the process has this rank only, so that nothing else ends with the process.
bool is_only_rank_thread();

/// Has the handler called when the calling thread ends; or when the process ends, if the process is the
/// rank's and another thread ends it. `object` (its __dso_handle) has the function, and stays loaded until
/// then. Returns 0; -1 if there is no memory for it.
int call_at_end_of_rank(Handlers::Function function, Handlers::FunctionWithStatus with_status, void* argument,
                        void* object);

}  // namespace kanor::rt
