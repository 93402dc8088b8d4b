// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string_view>

/// The properties of C and C++ library functions and classes, from the table library.def, whose comments
/// explain each trait and each letter of a signature. All functions are pure and take names without their
/// namespaces. A name that has no row has no trait.
namespace kanor::host::library {

enum class FunctionTrait : unsigned {
  none = 0,
  reads = 1 << 0,
  calls_at_once = 1 << 1,
  moves = 1 << 2,
  orders = 1 << 3,
  transparent = 1 << 4,
  as_member = 1 << 5,
  pure = 1 << 6,
  computes = 1 << 7
};

enum class ClassTrait : unsigned {
  none = 0,
  has_length = 1 << 0,
  has_copies = 1 << 1,
  is_value = 1 << 2,
  moves_elements = 1 << 3,
  is_indexed = 1 << 4,
  is_sequence = 1 << 5,
  is_ordered = 1 << 6,
  is_view = 1 << 7,
  is_functor = 1 << 8,
  pure = 1 << 9,
  pure_operators = 1 << 10,
  outside = 1 << 11
};

enum class MemberTrait : unsigned {
  none = 0,
  observer = 1 << 0,
  is_length = 1 << 1,
  element = 1 << 2,
  pointer = 1 << 3,
  begins = 1 << 4,
  ends = 1 << 5,
  searches = 1 << 6,
  bounds = 1 << 7,
  changes = 1 << 8,
  always_changes = 1 << 9,
  copies_argument = 1 << 10,
  adds_one = 1 << 11,
  to_argument = 1 << 12,
  by_content = 1 << 13,
  told = 1 << 14
};

enum class NamespaceTrait : unsigned { none = 0, pure = 1 << 0, has_rows = 1 << 1, outside = 1 << 2 };

enum class MpiTrait : unsigned {
  none = 0,
  sends = 1 << 0,
  receives = 1 << 1,
  passes = 1 << 2,
  cancels = 1 << 3,
  returns_errors = 1 << 4,
  divides = 1 << 5,
  local = 1 << 6
};

/// Returns true if a function of namespace std has the trait.
bool function_has(std::string_view name, FunctionTrait trait);
/// Returns true if a function of C has the trait. A name of <math.h> may have the suffix of float or long
/// double.
bool c_function_has(std::string_view name, FunctionTrait trait);
bool class_has(std::string_view name, ClassTrait trait);
bool member_has(std::string_view name, MemberTrait trait);
bool namespace_has(std::string_view name, NamespaceTrait trait);
bool knows_variable(std::string_view name);

/// The signature of a function of namespace std for this number of arguments; empty if none is known.
std::string_view signature(std::string_view name, std::size_t arguments);
/// The same for a function of C. A signature that ends in '*' is for that many arguments or more.
std::string_view c_signature(std::string_view name, std::size_t arguments);

/// The same for MPI's functions, whose names begin with `MPI_`. The letters are those of mpi_functions.def.
bool mpi_has(std::string_view name, MpiTrait trait);
std::string_view mpi_signature(std::string_view name, std::size_t arguments);

}  // namespace kanor::host::library
