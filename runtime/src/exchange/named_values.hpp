// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of a binding's names, as messages tell them.
#pragma once

#include <string>
#include <string_view>

#include "kanor/abi/core.hpp"

namespace kanor::rt {

std::string text_of(const abi::named_value& value);

/// "i = 3, j = 4" from "i, j" and the values.
std::string names_text(std::string_view names, const abi::named_value* values, int count);

}  // namespace kanor::rt
