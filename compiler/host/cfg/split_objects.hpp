// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/DeclCXX.h>

#include <map>

#include "host/facts/parsed_unit.hpp"

namespace kanor::host {

/// Objects of the program's classes that are only ever named to access one member: each member can be a
/// variable of its own. Objects that are passed on, copied, captured or have member functions called are
/// excluded.
class SplitObjects {
 public:
  explicit SplitObjects(const ParsedUnit& unit);

  /// The class of such an object, or null.
  const clang::CXXRecordDecl* class_of(const clang::VarDecl* variable) const;

 private:
  struct Mentions {
    int all = 0, by_member = 0;
  };

  const clang::SourceManager& sources_;
  std::map<const clang::VarDecl*, Mentions> mentions_;
};

}  // namespace kanor::host
