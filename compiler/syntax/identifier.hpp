// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace kanor::syntax {

/// The name that an identifier spells: `\u00e9`, `\U000000e9` and `\u{e9}` stand for their characters in
/// UTF-8.
std::string identifier_name(std::string_view spelling);

}  // namespace kanor::syntax
