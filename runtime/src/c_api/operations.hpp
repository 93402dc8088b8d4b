// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of reductions.
#pragma once

#include <kanor/mpi.h>

#include <cstddef>

#include "collectives/group.hpp"

/// A reduction operation that the program has defined.
struct kanor_mpi_op {
  MPI_User_function* function;
};

namespace kanor::rt::c_api {

/// An operation on elements of a datatype. Refers to nothing but the program's function and the datatype.
class Operation {
 public:
  /// Throws CallError if there is none.
  Operation(MPI_Op op, MPI_Datatype type);

  /// The operation on elements; its state is this object.
  collectives::ElementOperation by_elements();
  /// The same for values of so many elements.
  collectives::Operation of(std::size_t count);
  std::size_t element_bytes() const { return element_bytes_; }

  using Fold = void (*)(std::byte* into, const std::byte* a, const std::byte* b, std::size_t count);

 private:
  void apply(std::byte* into, const std::byte* a, const std::byte* b, std::size_t count) const;

  Fold fold_ = nullptr;  ///< null: the program's function
  MPI_User_function* function_ = nullptr;
  MPI_Datatype type_;
  std::size_t element_bytes_;
  std::size_t count_ = 0;
};

}  // namespace kanor::rt::c_api
