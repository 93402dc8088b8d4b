// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datatypes, and what calls make of them.
#pragma once

#include <kanor/mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "c_api/call_error.hpp"
#include "c_api/predefined_types.hpp"
#include "layout/layout.hpp"
#include "layout/pieces.hpp"
#include "layout/signature.hpp"
#include "ownership/lending.hpp"

namespace kanor::rt::c_api {

struct TypeDefinition;

/// A datatype of which another one was made.
struct TypeReference {
  MPI_Datatype predefined;  ///< MPI_DATATYPE_NULL if it is not
  std::shared_ptr<const TypeDefinition> definition;
};

/// The call that has made a datatype: MPI_Type_get_contents.
struct Contents {
  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> integers{};
  std::vector<MPI_Aint> addresses{};
  std::vector<TypeReference> types{};
};

/// What a datatype is. Does not change, so that handles, calls that have begun and other datatypes share it.
struct TypeDefinition {
  Layout layout;
  Signature signature;  ///< kinds are the numbers of predefined datatypes
  Contents contents;
};

/// A datatype that the program has made, behind a handle.
struct Datatype {
  std::shared_ptr<const TypeDefinition> definition;
  bool is_committed = false;
  std::string name{};
  std::shared_ptr<const Pieces> pieces{};  ///< for lending, once it has been asked for
  /// Of one that MPI_Type_create_f90_... has made, which counts as predefined: the other predefined one with
  /// such elements.
  MPI_Datatype stands_for = MPI_DATATYPE_NULL;
};

/// The datatype with this handle, which the program has made, and what any datatype is; CallError where there
/// is none.
Datatype& made_type(MPI_Datatype type);
std::shared_ptr<const TypeDefinition> definition_of(MPI_Datatype type);
/// The datatype itself, or the one that it stands for.
MPI_Datatype meant_by(MPI_Datatype type);
/// The handle of a new datatype, which has not been committed.
MPI_Datatype new_type(Rank& rank, std::shared_ptr<const TypeDefinition> definition);

/// All of these throw CallError where there is no such datatype, or it has not been committed, or the count
/// is negative.

/// What a datatype is that elements may have.
const std::shared_ptr<const TypeDefinition>& committed(MPI_Datatype type);
/// The layout of a message's elements; null: one behind the other, from the first one's address on.
inline std::shared_ptr<const Layout> layout_of(const std::shared_ptr<const TypeDefinition>& definition) {
  return definition->layout.is_block() ? nullptr
                                       : std::shared_ptr<const Layout>(definition, &definition->layout);
}
inline std::shared_ptr<const Layout> layout_of(MPI_Datatype type) {
  return even_bytes(type) ? nullptr : layout_of(committed(type));
}
[[noreturn, gnu::cold]] void fail_count(int count);
inline std::size_t checked_count(int count) {
  if (count < 0) [[unlikely]]
    fail_count(count);
  return static_cast<std::size_t>(count);
}
/// Bytes from an element to the next one; may be negative.
std::ptrdiff_t extent_bytes_of(MPI_Datatype type);
/// Bytes of an element, and of several.
inline std::size_t bytes_of(MPI_Datatype type) {
  const std::size_t bytes = even_bytes(type);
  return bytes ? bytes : committed(type)->layout.bytes();
}
inline std::size_t bytes_of(int count, MPI_Datatype type) { return checked_count(count) * bytes_of(type); }
/// The number of a predefined datatype, the same on all ranks and below 127; 127 if it is none.
unsigned number_of(MPI_Datatype type);
/// Bytes of elements that follow each other without gaps; CallError otherwise.
std::size_t block_bytes_of(int count, MPI_Datatype type);
/// Elements to lend: CallError where they do not ascend.
Elements elements_of(int count, MPI_Datatype type);

/// Returns true if elements are to be where no memory is: at NULL, unless the datatype has addresses
/// (MPI_BOTTOM). `layout`: as from layout_of().
inline bool is_nowhere(const void* data, std::size_t bytes, const Layout* layout) {
  return !data && bytes > 0 && (!layout || layout->first() == 0);
}

/// The address of the one block that elements are; null if they are several.
inline const void* only_block(const void* data, int count, const Layout* layout) {
  return layout ? layout->only_block(data, static_cast<std::size_t>(count)) : data;
}

}  // namespace kanor::rt::c_api
