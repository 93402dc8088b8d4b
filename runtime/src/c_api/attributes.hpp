// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of communicators and datatypes.
#pragma once

#include <kanor/mpi.h>

#include <string>
#include <vector>

#include "c_api/uses.hpp"
#include "transport/rank.hpp"

namespace kanor::rt::c_api {

/// A key of attributes, of communicators or of datatypes. Handles of both are ints, so their functions have
/// the same types.
struct Keyval : Used {
  HandleKind kind{};                                ///< of the objects
  MPI_Comm_copy_attr_function* copy = nullptr;      ///< null: no attribute is copied
  MPI_Comm_delete_attr_function* remove = nullptr;  ///< null: nothing is done
  void* state = nullptr;
};

/// The attributes of one communicator or datatype, whose handle its functions have as `object`. They call the
/// program's functions, which may change attributes. Where one of those fails they throw CallError with its
/// error.
class Attributes {
 public:
  /// Sets `value` if there is such an attribute.
  bool find(int key, void*& value) const;
  void set(int object, const Use<Keyval>& key, void* value);
  /// Removes the attribute, if there is one.
  void remove(int object, int key);
  /// Removes all, the one that was set last first.
  void remove_all(int object);
  /// Copies those of `from` that its functions say.
  void copy(int object, const Attributes& from, int from_object);

 private:
  struct Attribute {
    Use<Keyval> key;
    void* value;
  };
  std::vector<Attribute>::iterator place_of(int key);
  void call_delete_function(int object, const Attribute& attribute);

  std::vector<Attribute> all_;  ///< in the order in which they were set
};

/// Copies a communicator's attributes to its duplicate, which is freed if one of their functions fails; then
/// it throws CallError.
void copy_attributes(Rank& rank, MPI_Comm from, MPI_Comm made);
/// The same for a duplicate of a datatype, which then has no attributes, and is the caller's to free.
void copy_type_attributes(Rank& rank, MPI_Datatype from, MPI_Datatype made);
/// Removes a datatype's attributes, before it is freed. Throws CallError if one of their functions fails:
/// then it is not to be freed.
void remove_type_attributes(Rank& rank, MPI_Datatype type);

}  // namespace kanor::rt::c_api
