// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Type.h>

namespace kanor::host {

/// Returns true if a library function gives something that depends on the order or the hashes of addresses,
/// or on an address itself. `of` is the type of the object that it is called for, or of its first argument.
bool goes_by_address(const clang::FunctionDecl* function, clang::QualType of);

}  // namespace kanor::host
