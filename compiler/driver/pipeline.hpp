// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>
#include <string_view>

#include "driver/unit.hpp"

namespace kanor::driver {

/// The phases in their order; `--dump=` names them.
enum class Phase { discover, parse, shadow, facts, flow, sema, plan, analysis, emit };

/// The phase of that name. Throws std::out_of_range.
Phase phase_named(std::string_view name);

/// Takes the unit from its invocation to a communication plan, or to the end of phase `last`. Stops where a
/// phase has reported errors that leave nothing for the next one to work on. Errors are in the unit's
/// diagnostics.
void translate(Unit& unit, Phase last);

/// Writes the product of a phase that translate() has reached, in its golden format.
void print_product(const Unit& unit, Phase phase, std::ostream& out);

}  // namespace kanor::driver
