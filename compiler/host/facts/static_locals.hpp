// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/Basic/SourceLocation.h>

#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
class SourceManager;
class LangOptions;
}  // namespace clang

namespace kanor::host {

/// A variable that is declared `static` in a function's body.
struct StaticLocal {
  std::string name;
  clang::SourceLocation location;  ///< the place of its name
};

/// The mutable static variables of a body that Clang was told to skip, from its tokens alone: without those
/// of macros that it uses, but with those of groups that the preprocessor skips. Some of the names may be no
/// variables' (of `static T f(x);` both `f` and a variable could be meant).
std::vector<StaticLocal> static_locals(const clang::FunctionDecl* function,
                                       const clang::SourceManager& sources,
                                       const clang::LangOptions& options);

}  // namespace kanor::host
