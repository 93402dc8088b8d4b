// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "emit/copy_user_text.hpp"
#include "emit/line_writer.hpp"
#include "plan/plan.hpp"

namespace kanor::emit {

/// Writes one block as a compound statement, beginning where the writer stands, or as the declaration of the
/// object that `async` names. The user's expressions go through `copy`. `handles`: the offsets of places and
/// values that are globalised variables. `afterwards`: text that follows the exchange, in the compound
/// statement.
void emit_block(const plan::BlockPlan& block, const text::Source& source, LineWriter& out,
                const CopyUserText& copy, const std::set<std::uint32_t>& handles,
                std::string_view afterwards);

/// Writes the start of a block that is complete later, as a statement that gives the exchange to `pending`:
/// the declaration of an object, or the name of one.
void emit_start(const plan::BlockPlan& block, std::string_view pending, const text::Source& source,
                LineWriter& out, const CopyUserText& copy);

/// Writes the start of a block that is pipelined with a loop after this point, or, if its value is there
/// already, the block: the declaration of an object of that name, which is to be told to go on.
void emit_delta(const plan::BlockPlan& block, const std::string& name, const text::Source& source,
                LineWriter& out, const CopyUserText& copy);

}  // namespace kanor::emit
