// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <set>
#include <string_view>

#include "emit/copy_user_text.hpp"
#include "emit/line_writer.hpp"
#include "plan/plan.hpp"

namespace kanor::emit {

/// Writes one block as a compound statement, beginning where the writer stands. The user's expressions go
/// through `copy`. `handles`: the offsets of places and values that are globalised variables. `afterwards`:
/// text that follows the exchange, in the compound statement.
void emit_block(const plan::BlockPlan& block, const text::Source& source, LineWriter& out,
                const CopyUserText& copy, const std::set<std::uint32_t>& handles,
                std::string_view afterwards);

}  // namespace kanor::emit
