// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ExprCXX.h>
#include <clang/AST/ParentMap.h>

#include <functional>
#include <optional>
#include <vector>

namespace kanor::host {

/// The calls in a function's body during which its lambda runs: it is called where it stands, or an algorithm
/// of the library gets it, or so does the local variable that it initialises. Nothing if it may run
/// otherwise, or be kept. `is_elsewhere`: what stands in a block, say, is not followed.
std::optional<std::vector<const clang::CallExpr*>> runs_of(
    const clang::LambdaExpr* lambda, const clang::Stmt* body, const clang::ParentMap& parents,
    const std::function<bool(const clang::Stmt*)>& is_elsewhere);

}  // namespace kanor::host
