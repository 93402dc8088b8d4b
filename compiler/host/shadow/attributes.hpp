// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>
#include <vector>

#include "host/shadow/shadow.hpp"

namespace kanor::host {

/// The `kanor::…` attributes of a text, in its order; comments and literals are passed over.
std::vector<Attribute> find_attributes(std::string_view bytes);

}  // namespace kanor::host
