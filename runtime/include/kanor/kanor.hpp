// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_KANOR_HPP
#define KANOR_KANOR_HPP

/// The header that every Kanor program includes. `kanorc` compiles programs with blocks.
#include "kanor/buffer.hpp"
#include "kanor/error.hpp"
#include "kanor/grid.hpp"
#include "kanor/pending.hpp"
#include "kanor/shape.hpp"
#include "kanor/team.hpp"
#include "kanor/window.hpp"

#if defined(__KANORC__)
// kanorc replaces KANOR_COMMUNICATE(...) itself. It stays undefined here so that the output of
// `kanorc -E` contains the block's text, by which compiler caches notice changes.
#elif defined(KANOR_IDE) || defined(__clang_analyzer__)
/// A block in a spelling that any C++ compiler can read. For editors it is empty.
#define KANOR_COMMUNICATE(...)
#else
#define KANOR_COMMUNICATE(...)                                                                       \
  static_assert(false,                                                                               \
                "KANOR_COMMUNICATE is a block of the Kanor language: compile this file with kanorc " \
                "(an editor that only reads it may define KANOR_IDE)")
#endif

#endif

// Emitted code includes these headers if it calls the runtime. They stand outside the include
// guard, because `-include` may include this header before the emitted text.
#if defined(KANOR_ABI_BLOCKS)
#include "kanor/abi/block.hpp"
#endif
#if defined(KANOR_ABI_GLOBALISED)
#include "kanor/abi/globalised.hpp"
#endif
#if defined(KANOR_ABI_DELTA)
#include "kanor/abi/delta.hpp"
#endif
#if defined(KANOR_ABI_COPY_LOOPS)
#include "kanor/abi/copy_loop.hpp"
#endif
#if defined(KANOR_ABI_CEREAL)
#include "kanor/abi/cereal.hpp"
#endif
