// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/library/library.hpp"

#include <unordered_map>

namespace kanor::host::library {
namespace {

template <class Trait>
constexpr Trait operator|(Trait a, Trait b) {
  return static_cast<Trait>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
template <class Trait>
constexpr bool includes(Trait all, Trait one) {
  return (static_cast<unsigned>(all) & static_cast<unsigned>(one)) != 0;
}

template <class Trait>
struct Row {
  Trait traits{};
  std::string_view signatures;  ///< words
};

template <class Trait>
using Table = std::unordered_map<std::string_view, Row<Trait>>;

template <class Trait>
bool has(const Table<Trait>& table, std::string_view name, Trait trait) {
  const auto row = table.find(name);
  return row != table.end() && includes(row->second.traits, trait);
}

const Table<FunctionTrait>& functions() {
  using enum FunctionTrait;
  static const Table<FunctionTrait> table{
#define FUNCTION(name, traits, signatures) {#name, {traits, signatures}},
#include "host/library/library.def"
  };
  return table;
}

const Table<FunctionTrait>& c_functions() {
  using enum FunctionTrait;
  static const Table<FunctionTrait> table{
#define C_FUNCTION(name, traits, signatures) {#name, {traits, signatures}},
#include "host/library/library.def"
  };
  return table;
}

const Table<ClassTrait>& classes() {
  using enum ClassTrait;
  static const Table<ClassTrait> table{
#define CLASS(name, traits) {#name, {traits, {}}},
#include "host/library/library.def"
  };
  return table;
}

const Table<MemberTrait>& members() {
  using enum MemberTrait;
  static const Table<MemberTrait> table{
#define MEMBER(name, traits) {#name, {traits, {}}},
#include "host/library/library.def"
  };
  return table;
}

const Table<NamespaceTrait>& namespaces() {
  using enum NamespaceTrait;
  static const Table<NamespaceTrait> table{
#define NAMESPACE(name, traits) {#name, {traits, {}}},
#include "host/library/library.def"
  };
  return table;
}

const Table<MpiTrait>& mpi_functions() {
  using enum MpiTrait;
  static const Table<MpiTrait> table{
#define MPI_FUNCTION(name, traits, signatures) {"MPI_" #name, {traits, signatures}},
#include "host/library/mpi_functions.def"
  };
  return table;
}

/// The name of the row, without the suffix of float or long double: `sin` for `sinf` and `sinl`.
std::string_view row_name(std::string_view name) {
  const bool may_end = name.size() > 1 && (name.back() == 'f' || name.back() == 'l');
  return may_end && !c_functions().contains(name) ? name.substr(0, name.size() - 1) : name;
}

template <class Trait>
std::string_view signature_in(const Table<Trait>& table, std::string_view name, std::size_t arguments) {
  const auto row = table.find(name);
  if (row == table.end()) return {};
  for (std::string_view rest = row->second.signatures; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    const bool fits = word.ends_with('*') ? arguments + 1 >= word.size() : arguments == word.size();
    if (fits) return word;
    rest.remove_prefix(word.size() == rest.size() ? rest.size() : word.size() + 1);
  }
  return {};
}

}  // namespace

bool function_has(std::string_view name, FunctionTrait trait) { return has(functions(), name, trait); }
bool c_function_has(std::string_view name, FunctionTrait trait) {
  return has(c_functions(), row_name(name), trait);
}
bool class_has(std::string_view name, ClassTrait trait) { return has(classes(), name, trait); }
bool member_has(std::string_view name, MemberTrait trait) { return has(members(), name, trait); }
bool namespace_has(std::string_view name, NamespaceTrait trait) { return has(namespaces(), name, trait); }

bool knows_variable(std::string_view name) {
#define VARIABLE(variable) \
  if (name == #variable) return true;
#include "host/library/library.def"
  return false;
}

std::string_view signature(std::string_view name, std::size_t arguments) {
  return signature_in(functions(), name, arguments);
}
std::string_view c_signature(std::string_view name, std::size_t arguments) {
  return signature_in(c_functions(), name, arguments);
}
bool mpi_has(std::string_view name, MpiTrait trait) { return has(mpi_functions(), name, trait); }
std::string_view mpi_signature(std::string_view name, std::size_t arguments) {
  return signature_in(mpi_functions(), name, arguments);
}

}  // namespace kanor::host::library
