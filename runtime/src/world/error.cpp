// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kanor/error.hpp>
#include <string_view>

#include "job/failure.hpp"

namespace kanor {

void abort(const char* message) { rt::fail(message ? std::string_view(message) : std::string_view()); }

void abort(const char* message, unsigned long length) { rt::fail(std::string_view(message, length)); }

}  // namespace kanor
