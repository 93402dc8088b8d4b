// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/DeclCXX.h>

#include <compare>
#include <map>
#include <set>
#include <vector>

#include "host/cfg/variables.hpp"

namespace kanor::host {

/// Returns true if objects of the type may contain the address of another object, as handles do.
bool keeps_addresses(clang::QualType type);
/// The same for objects that refer to another without its address being taken: a reference, a
/// reference_wrapper.
bool keeps_references(clang::QualType type);
/// Returns true for the types that can alias the bytes of any object: void, char, std::byte.
bool is_byte(clang::QualType type);

/// A place that can hold an address.
struct AddressPlace {
  enum class Kind {
    element,   ///< an element of an array, a container or a tuple
    member,    ///< the member `declaration` of any object of its class
    anywhere,  ///< whatever a pointer or a reference leads to
    result     ///< the result of the function `declaration`
  };
  Kind kind = Kind::anywhere;
  const clang::Decl* declaration = nullptr;

  auto operator<=>(const AddressPlace&) const = default;
};

/// The variables whose addresses are stored in places other than pointer variables. An access through an
/// address from such a place may be to any of them that has the right type.
class StoredAddresses {
 public:
  explicit StoredAddresses(Variables& variables) : variables_(variables) {}

  /// Returns true if that is new.
  bool store(AddressPlace place, const std::vector<int>& variables);
  /// Notes that an address of one of them is converted to one of bytes: `void*`, `char*`. Returns true if
  /// that is new.
  bool lead_as_bytes(const std::vector<int>& variables);
  bool leads_as_bytes(int variable) const { return as_bytes_.contains(variable); }

  /// The variables that an address from the member, or from any place but results, may lead to in the
  /// function. `object` is the type that it leads to, null if unknown.
  std::vector<int> of_member(const clang::FieldDecl* member, clang::QualType object, int function) const;
  std::vector<int> of_any(clang::QualType object, int function) const;
  std::vector<int> returned_by(const clang::FunctionDecl* callee, int function) const;
  /// The places, except for results, that hold the variable's address.
  std::vector<AddressPlace> places_of(int variable) const;

 private:
  bool is_meant(int variable, clang::QualType object, int function) const;

  Variables& variables_;
  std::map<AddressPlace, std::set<int>> stored_;
  std::set<int> as_bytes_;
};

}  // namespace kanor::host
