// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_KANOR_HPP
#define KANOR_KANOR_HPP

/// The header of every Kanor program. Programs with blocks are compiled by `kanorc`.
#include "kanor/buffer.hpp"
#include "kanor/error.hpp"
#include "kanor/grid.hpp"
#include "kanor/pending.hpp"
#include "kanor/shape.hpp"
#include "kanor/team.hpp"

#if defined(__KANORC__)
// kanorc replaces KANOR_COMMUNICATE(...) itself. It stays undefined here so that `kanorc -E` keeps the
// block's text: a compiler cache tells by that output whether a source has changed.
#elif defined(KANOR_IDE) || defined(__clang_analyzer__)
/// The spelling of a block that any C++ compiler can read; an editor sees nothing here.
#define KANOR_COMMUNICATE(...)
#else
#define KANOR_COMMUNICATE(...)                                                                       \
  static_assert(false,                                                                               \
                "KANOR_COMMUNICATE is a block of the Kanor language: compile this file with kanorc " \
                "(an editor that only reads it may define KANOR_IDE)")
#endif

#endif

// Emitted code begins with these where it calls the runtime. They count for every inclusion: the first may
// stand ahead of the emitted text (-include).
#if defined(KANOR_ABI_BLOCKS)
#include "kanor/abi/block.hpp"
#endif
#if defined(KANOR_ABI_GLOBALISED)
#include "kanor/abi/globalised.hpp"
#endif
#if defined(KANOR_ABI_CEREAL)
#include "kanor/abi/cereal.hpp"
#endif
