// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/mpi.h: what datatypes are.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "c_api/attributes.hpp"
#include "c_api/predefined_types.hpp"
#include "c_api/type_making.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

/// A number of elements or bytes as an int; MPI_UNDEFINED if it is too large for one.
template <class T>
int as_int(T number) {
  return number <= std::numeric_limits<int>::max() ? static_cast<int>(number) : MPI_UNDEFINED;
}

/// The body of a call that asks for two numbers about a datatype's layout.
template <class Number, class Ask>
int ask(const char* call, MPI_Datatype type, Number* first, Number* second, Ask ask_layout) {
  Rank& self = caller();
  return handled(self, call, [&] {
    const auto [one, other] = ask_layout(definition_of(type)->layout);
    if (first) *first = static_cast<Number>(one);
    if (second) *second = static_cast<Number>(other);
    return MPI_SUCCESS;
  });
}

using Numbers = std::pair<std::ptrdiff_t, std::ptrdiff_t>;

Numbers bounds(const Layout& layout) { return {layout.lower(), layout.extent()}; }
Numbers true_bounds(const Layout& layout) { return {layout.first(), layout.last() - layout.first()}; }
Numbers ends(const Layout& layout) { return {layout.lower(), layout.upper()}; }

/// A handle of a datatype of which another one was made: a new one, unless it is predefined.
MPI_Datatype handle_of(Rank& self, const TypeReference& of) {
  return of.predefined != MPI_DATATYPE_NULL ? of.predefined : new_type(self, of.definition);
}

/// Copies an array of a call that has made a datatype to where the program has room for `most`.
template <class T>
void copy_array(const std::vector<T>& from, int most, T* to, const char* what) {
  if (most < 0 || static_cast<std::size_t>(most) < from.size())
    throw CallError{MPI_ERR_ARG, "there is room for " + std::to_string(most) + " " + what + " of " +
                                     std::to_string(from.size())};
  std::copy(from.begin(), from.end(), to);
}

}  // namespace

int MPI_Type_dup(MPI_Datatype type, MPI_Datatype* made) {
  Rank& self = caller();
  return handled(self, "MPI_Type_dup", [&] {
    if (!made) throw CallError{MPI_ERR_ARG, "the address of the datatype is NULL"};
    const TypeReference of = reference_to(type);
    const TypeDefinition& before = *of.definition;
    const MPI_Datatype copy =
        new_type(self, std::make_shared<const TypeDefinition>(TypeDefinition{
                           before.layout, before.signature, {MPI_COMBINER_DUP, {}, {}, {of}}}));
    Handles<Datatype>& types = Calls::of(self).types;
    const Datatype* const original = types.find(type);
    types.find(copy)->is_committed = !original || original->is_committed;
    try {
      copy_type_attributes(self, type, copy);
    } catch (const CallError&) {
      types.remove(copy);
      *made = MPI_DATATYPE_NULL;
      throw;
    }
    *made = copy;
    return MPI_SUCCESS;
  });
}

int MPI_Type_commit(MPI_Datatype* type) {
  Rank& self = caller();
  return handled(self, "MPI_Type_commit", [&] {
    if (!type) throw CallError{MPI_ERR_ARG, "the address of the datatype is NULL"};
    if (!find_predefined(*type)) made_type(*type).is_committed = true;
    return MPI_SUCCESS;
  });
}

int MPI_Type_free(MPI_Datatype* type) {
  Rank& self = caller();
  return handled(self, "MPI_Type_free", [&] {
    if (!type) throw CallError{MPI_ERR_ARG, "the address of the datatype is NULL"};
    if (find_predefined(*type)) throw CallError{MPI_ERR_TYPE, "the datatype is predefined"};
    if (made_type(*type).stands_for != MPI_DATATYPE_NULL)
      throw CallError{MPI_ERR_TYPE, "the datatype counts as predefined"};
    remove_type_attributes(self, *type);
    Calls::of(self).types.remove(*type);
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
  });
}

int MPI_Type_size(MPI_Datatype type, int* bytes) {
  Rank& self = caller();
  return handled(self, "MPI_Type_size", [&] {
    *bytes = as_int(definition_of(type)->layout.bytes());
    return MPI_SUCCESS;
  });
}

int MPI_Type_size_x(MPI_Datatype type, MPI_Count* bytes) {
  Rank& self = caller();
  return handled(self, "MPI_Type_size_x", [&] {
    *bytes = static_cast<MPI_Count>(definition_of(type)->layout.bytes());
    return MPI_SUCCESS;
  });
}

int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent) {
  return ask("MPI_Type_get_extent", type, lower, extent, bounds);
}

int MPI_Type_get_extent_x(MPI_Datatype type, MPI_Count* lower, MPI_Count* extent) {
  return ask("MPI_Type_get_extent_x", type, lower, extent, bounds);
}

int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent) {
  return ask("MPI_Type_get_true_extent", type, lower, extent, true_bounds);
}

int MPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count* lower, MPI_Count* extent) {
  return ask("MPI_Type_get_true_extent_x", type, lower, extent, true_bounds);
}

int MPI_Type_extent(MPI_Datatype type, MPI_Aint* extent) {
  return ask<MPI_Aint>("MPI_Type_extent", type, nullptr, extent, bounds);
}

int MPI_Type_lb(MPI_Datatype type, MPI_Aint* lower) {
  return ask<MPI_Aint>("MPI_Type_lb", type, lower, nullptr, ends);
}

int MPI_Type_ub(MPI_Datatype type, MPI_Aint* upper) {
  return ask<MPI_Aint>("MPI_Type_ub", type, nullptr, upper, ends);
}

int MPI_Type_get_envelope(MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner) {
  Rank& self = caller();
  return handled(self, "MPI_Type_get_envelope", [&] {
    const std::shared_ptr<const TypeDefinition> definition = definition_of(type);
    const Contents& contents = definition->contents;
    *integers = as_int(contents.integers.size());
    *addresses = as_int(contents.addresses.size());
    *types = as_int(contents.types.size());
    *combiner = contents.combiner;
    return MPI_SUCCESS;
  });
}

int MPI_Type_get_contents(MPI_Datatype type, int most_integers, int most_addresses, int most_types,
                          int integers[], MPI_Aint addresses[], MPI_Datatype types[]) {
  Rank& self = caller();
  return handled(self, "MPI_Type_get_contents", [&] {
    const std::shared_ptr<const TypeDefinition> definition = definition_of(type);
    const Contents& contents = definition->contents;
    if (contents.combiner == MPI_COMBINER_NAMED)
      throw CallError{MPI_ERR_TYPE, "the datatype is predefined: no call has made it"};
    if (most_types < 0 || static_cast<std::size_t>(most_types) < contents.types.size())
      throw CallError{MPI_ERR_ARG, "there is room for " + std::to_string(most_types) + " datatypes of " +
                                       std::to_string(contents.types.size())};
    copy_array(contents.integers, most_integers, integers, "integers");
    copy_array(contents.addresses, most_addresses, addresses, "addresses");
    for (std::size_t i = 0; i < contents.types.size(); ++i) types[i] = handle_of(self, contents.types[i]);
    return MPI_SUCCESS;
  });
}

int MPI_Type_set_name(MPI_Datatype type, const char* name) {
  Rank& self = caller();
  return handled(self, "MPI_Type_set_name", [&] {
    if (!name) throw CallError{MPI_ERR_ARG, "the name is NULL"};
    std::string text(name, strnlen(name, MPI_MAX_OBJECT_NAME - 1));
    if (find_predefined(type))
      Calls::of(self).names_of_predefined_types[type] = std::move(text);
    else
      made_type(type).name = std::move(text);
    return MPI_SUCCESS;
  });
}

int MPI_Type_get_name(MPI_Datatype type, char* name, int* length) {
  Rank& self = caller();
  return handled(self, "MPI_Type_get_name", [&] {
    if (!name || !length) throw CallError{MPI_ERR_ARG, "the address of the name or its length is NULL"};
    std::string text;
    if (const PredefinedType* const predefined = find_predefined(type)) {
      const auto& given = Calls::of(self).names_of_predefined_types;
      const auto found = given.find(type);
      text = found == given.end() ? predefined->name : found->second;
    } else if (type == MPI_DATATYPE_NULL) {
      text = "MPI_DATATYPE_NULL";
    } else {
      text = made_type(type).name;
    }
    std::memcpy(name, text.c_str(), text.size() + 1);
    *length = as_int(text.size());
    return MPI_SUCCESS;
  });
}

int MPI_Type_match_size(int type_class, int bytes, MPI_Datatype* type) {
  struct Match {
    int type_class, bytes;
    MPI_Datatype type;
  };
  static constexpr Match matches[] = {
      {MPI_TYPECLASS_REAL, 4, MPI_REAL4},
      {MPI_TYPECLASS_REAL, 8, MPI_REAL8},
      {MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},
      {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
      {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},
      {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
      {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},
      {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16},
      {MPI_TYPECLASS_REAL, sizeof(long double), MPI_LONG_DOUBLE},
      {MPI_TYPECLASS_COMPLEX, 2 * sizeof(long double), MPI_C_LONG_DOUBLE_COMPLEX}};
  Rank& self = caller();
  return handled(self, "MPI_Type_match_size", [&] {
    const auto* const found = std::find_if(std::begin(matches), std::end(matches), [&](const Match& one) {
      return one.type_class == type_class && one.bytes == bytes;
    });
    if (found == std::end(matches))
      throw CallError{MPI_ERR_ARG, "there is no predefined datatype of that class and " +
                                       std::to_string(bytes) + " bytes"};
    *type = found->type;
    return MPI_SUCCESS;
  });
}

int MPI_Get_address(const void* location, MPI_Aint* address) {
  *address = reinterpret_cast<MPI_Aint>(location);
  return MPI_SUCCESS;
}

int MPI_Address(void* location, MPI_Aint* address) {
  *address = reinterpret_cast<MPI_Aint>(location);
  return MPI_SUCCESS;
}

// Addresses wrap around, so they are added without their signs.
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint difference) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(base) + static_cast<std::uintptr_t>(difference));
}

MPI_Aint MPI_Aint_diff(MPI_Aint to, MPI_Aint from) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(to) - static_cast<std::uintptr_t>(from));
}

KANOR_PROFILED(Type_dup)
KANOR_PROFILED(Type_commit)
KANOR_PROFILED(Type_free)
KANOR_PROFILED(Type_size)
KANOR_PROFILED(Type_size_x)
KANOR_PROFILED(Type_get_extent)
KANOR_PROFILED(Type_get_extent_x)
KANOR_PROFILED(Type_get_true_extent)
KANOR_PROFILED(Type_get_true_extent_x)
KANOR_PROFILED(Type_extent)
KANOR_PROFILED(Type_lb)
KANOR_PROFILED(Type_ub)
KANOR_PROFILED(Type_get_envelope)
KANOR_PROFILED(Type_get_contents)
KANOR_PROFILED(Type_set_name)
KANOR_PROFILED(Type_get_name)
KANOR_PROFILED(Type_match_size)
KANOR_PROFILED(Get_address)
KANOR_PROFILED(Address)
KANOR_PROFILED(Aint_add)
KANOR_PROFILED(Aint_diff)
