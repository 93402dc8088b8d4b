// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Included by kanorc in a file that it passes to the host compiler unchanged: the object says that kanorc
// compiled it, so that the link asks no questions about its variables. Any C++ standard; silent under -Wall.
#ifndef KANOR_ABI_NOTE_HPP
#define KANOR_ABI_NOTE_HPP

#include <kanor/abi/program_facts.hpp>

__attribute__((section(KANOR_NOTE_SECTION), used)) static const char kanor_note[] = KANOR_NOTE_HEADER;

#endif
