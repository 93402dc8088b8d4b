// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ExprCXX.h>
#include <clang/AST/ParentMap.h>

#include <functional>
#include <optional>
#include <vector>

namespace kanor::host {

/// The calls in a function's body during which its lambda runs: direct calls, and calls of library algorithms
/// that are given the lambda or the local variable that it initialises. Nothing if the lambda may run
/// otherwise, or be stored. Parts for which `is_elsewhere` returns true, such as blocks, are not followed.
std::optional<std::vector<const clang::CallExpr*>> runs_of(
    const clang::LambdaExpr* lambda, const clang::Stmt* body, const clang::ParentMap& parents,
    const std::function<bool(const clang::Stmt*)>& is_elsewhere);

}  // namespace kanor::host
