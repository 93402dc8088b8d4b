// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of reductions.
#pragma once

#include <kanor/mpi.h>

#include <cstddef>
#include <memory>

#include "collectives/group.hpp"
#include "layout/layout.hpp"

namespace kanor::rt::c_api {

/// A reduction operation that the program has defined.
struct ProgramOperation {
  MPI_User_function* function;
  bool commutes;
};

/// The number of a predefined operation in kanor/mpi.h; 0 if it is none.
unsigned number_of_predefined(MPI_Op op);

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
  /// `inout[i] = in[i] op inout[i]`, where elements lie as the datatype says.
  void apply_here(const void* in, void* inout, int count) const;

  using Fold = void (*)(std::byte* into, const std::byte* a, const std::byte* b, std::size_t count);

 private:
  // Elements follow each other without gaps.
  void apply(std::byte* into, const std::byte* a, const std::byte* b, std::size_t count) const;
  void apply_with_gaps(std::byte* into, const std::byte* a, const std::byte* b, std::size_t count) const;

  Fold fold_ = nullptr;  ///< null: the program's function
  MPI_User_function* function_ = nullptr;
  MPI_Datatype type_;
  std::size_t element_bytes_;
  std::shared_ptr<const Layout> layout_;  ///< null: elements have no gaps
  std::size_t count_ = 0;
};

}  // namespace kanor::rt::c_api
