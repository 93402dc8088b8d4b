// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that a link with --wrap leads calls to, under the C library's own name as well.
#pragma once

/// Defines `name` as __wrap_`name` of this file, for the calls of shared libraries, which no link wraps. Weak
/// because a program without these has the C library's beside them.
#define KANOR_UNDER_OWN_NAME(name) \
  __asm__(".weak " #name "\n\t.type " #name ", @function\n\t.set " #name ", __wrap_" #name);
