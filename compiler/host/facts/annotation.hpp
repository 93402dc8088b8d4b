// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>

#include <algorithm>

namespace kanor::host {

/// Returns true if this declaration has the attribute of Kanor's with this full name, as "kanor::shared". The
/// shadow spells them as annotations.
inline bool is_annotated(const clang::Decl* declaration, llvm::StringRef name) {
  const auto annotations = declaration->specific_attrs<clang::AnnotateAttr>();
  return std::any_of(annotations.begin(), annotations.end(), [&](const clang::AnnotateAttr* annotation) {
    return annotation->getAnnotation() == name;
  });
}

}  // namespace kanor::host
