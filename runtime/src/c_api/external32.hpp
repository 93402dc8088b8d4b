// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The representation "external32" (MPI 3.1, section 13.5.2): big endian, with sizes that do not depend on the
// machine.
#pragma once

#include <cstddef>

#include "layout/signature.hpp"

namespace kanor::rt::c_api {

/// The bytes that an element takes. The signature's kinds are the numbers of predefined datatypes.
std::size_t external_bytes(const Signature& signature);
/// Converts `count` elements that follow each other without gaps, and back.
void to_external(std::byte* to, const std::byte* from, const Signature& signature, std::size_t count);
void from_external(std::byte* to, const std::byte* from, const Signature& signature, std::size_t count);

}  // namespace kanor::rt::c_api
