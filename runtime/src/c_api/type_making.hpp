// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls that make datatypes have in common.
#pragma once

#include <kanor/mpi.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "c_api/calls.hpp"

namespace kanor::rt::c_api {

/// A datatype of which others are made.
inline TypeReference reference_to(MPI_Datatype type) {
  const std::shared_ptr<const TypeDefinition> definition = definition_of(type);
  const bool is_made = Calls::of(caller()).types.find(type) && meant_by(type) == type;
  return {is_made ? MPI_DATATYPE_NULL : type, definition};
}

/// Throws CallError unless there are that many, and an array of them.
inline void check_array(int count, const void* array, const char* what) {
  if (count < 0) throw CallError{MPI_ERR_COUNT, "the count is " + std::to_string(count)};
  if (count > 0 && !array) throw CallError{MPI_ERR_ARG, std::string("the array of ") + what + " is NULL"};
}

/// The body of a call that makes a datatype, which `define` describes.
template <class Define>
int make_type(const char* call, MPI_Datatype* made, Define define) {
  Rank& self = caller();
  return handled(self, call, [&] {
    if (!made) throw CallError{MPI_ERR_ARG, "the address of the datatype is NULL"};
    try {
      *made = new_type(self, std::make_shared<const TypeDefinition>(define()));
    } catch (const std::overflow_error&) {
      throw CallError{MPI_ERR_COUNT, "an element of the datatype would be larger than memory"};
    }
    return MPI_SUCCESS;
  });
}

}  // namespace kanor::rt::c_api
