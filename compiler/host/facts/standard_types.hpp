// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Type.h>

#include <string_view>
#include <vector>

#include "sema/facts.hpp"

namespace clang {
class CXXRecordDecl;
class Decl;
}  // namespace clang

namespace kanor::host {

/// What decides whether objects of a class template of the standard library travel.
struct StandardRow {
  std::string_view name;
  sema::Hindrance hindrance;
  unsigned value_arguments;  ///< how many leading type arguments are part of the value
};

/// Declared in namespace std, or in one inside of it.
bool is_standard(const clang::Decl* declaration);
/// The row of a class template, found by its name alone; null if there is none.
const StandardRow* standard_row(const clang::CXXRecordDecl* record);
/// Whether a class of the library that has no row is its bytes: numbers that mean the same on every rank.
/// Its members are still to be judged.
bool is_plain_standard_class(const clang::CXXRecordDecl* record);
/// An iterator of the library. The names differ from library to library, but all end alike.
bool is_iterator(const clang::CXXRecordDecl* record);
/// A range adaptor that refers to nobody's elements.
bool makes_its_elements(const clang::CXXRecordDecl* record);
/// A lock or a condition of the C library, whose bytes are of use only where they are.
bool is_synchronisation_object(const clang::CXXRecordDecl* record);

/// The type arguments of a template's class, those of packs included.
std::vector<clang::QualType> type_arguments(const clang::CXXRecordDecl* record);
/// Those that are part of the value, and the others: orders, hashes and allocators.
std::vector<clang::QualType> value_arguments(const clang::CXXRecordDecl* record, const StandardRow& row);
std::vector<clang::QualType> policy_arguments(const clang::CXXRecordDecl* record, const StandardRow& row);

}  // namespace kanor::host
