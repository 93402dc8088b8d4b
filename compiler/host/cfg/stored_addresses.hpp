// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/DeclCXX.h>

#include <compare>
#include <map>
#include <set>
#include <vector>

#include "host/cfg/variables.hpp"

namespace kanor::host {

/// Whether objects of the type may have the address of another object in them, as handles do.
bool keeps_addresses(clang::QualType type);
/// The same, of what refers to an object without its address being taken: a reference, a reference_wrapper.
bool keeps_references(clang::QualType type);
/// Bytes of any object: void, char, std::byte.
bool is_byte(clang::QualType type);

/// Where an address is kept.
struct AddressPlace {
  enum class Kind {
    element,   ///< of an array, a container or a tuple
    member,    ///< of any object of the class that `declaration` is of
    anywhere,  ///< what a pointer or a reference leads to
    result     ///< of the function `declaration`
  };
  Kind kind = Kind::anywhere;
  const clang::Decl* declaration = nullptr;

  auto operator<=>(const AddressPlace&) const = default;
};

/// The variables whose addresses are kept where no variable that is a pointer stands for them. Who reads or
/// writes through an address that comes from such a place may mean any of them that has the right type.
class StoredAddresses {
 public:
  explicit StoredAddresses(Variables& variables) : variables_(variables) {}

  /// True if that is news.
  bool store(AddressPlace place, const std::vector<int>& variables);
  /// An address of one of them is made one of bytes: `void*`, `char*`. True if that is news.
  bool lead_as_bytes(const std::vector<int>& variables);
  bool leads_as_bytes(int variable) const { return as_bytes_.contains(variable); }

  /// What an address from the member, or from any place but results, may lead to in the function. `object` is
  /// the type of what it leads to, null if that is not known.
  std::vector<int> of_member(const clang::FieldDecl* member, clang::QualType object, int function) const;
  std::vector<int> of_any(clang::QualType object, int function) const;
  std::vector<int> returned_by(const clang::FunctionDecl* callee, int function) const;
  /// The places, but for results, that keep the variable's address.
  std::vector<AddressPlace> places_of(int variable) const;

 private:
  bool is_meant(int variable, clang::QualType object, int function) const;

  Variables& variables_;
  std::map<AddressPlace, std::set<int>> stored_;
  std::set<int> as_bytes_;
};

}  // namespace kanor::host
