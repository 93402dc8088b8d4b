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

/// Tells how objects of a class template of the standard library travel.
struct StandardRow {
  std::string_view name;
  sema::Hindrance hindrance;
  unsigned value_arguments;  ///< the number of leading type arguments that are part of the value
};

/// Returns true for a declaration in namespace std or in one inside of it.
bool is_standard(const clang::Decl* declaration);
/// The row of a class template, found by its name alone; null if there is none.
const StandardRow* standard_row(const clang::CXXRecordDecl* record);
/// Returns true if a class of the library without a row consists of bytes that mean the same on every rank,
/// such as numbers. Its members are still to be judged.
bool is_plain_standard_class(const clang::CXXRecordDecl* record);
/// Returns true for an iterator of the library. The names differ between libraries, but all end alike.
bool is_iterator(const clang::CXXRecordDecl* record);
/// Returns true for a range adaptor that refers to no other object's elements.
bool makes_its_elements(const clang::CXXRecordDecl* record);
/// Returns true for a lock or a condition of the C library, whose bytes are only valid in place.
bool is_synchronisation_object(const clang::CXXRecordDecl* record);

/// The type arguments of a class template's specialisation, including those in packs.
std::vector<clang::QualType> type_arguments(const clang::CXXRecordDecl* record);
/// The type arguments that are part of the value. The others are orders, hashes and allocators.
std::vector<clang::QualType> value_arguments(const clang::CXXRecordDecl* record, const StandardRow& row);
std::vector<clang::QualType> policy_arguments(const clang::CXXRecordDecl* record, const StandardRow& row);

}  // namespace kanor::host
