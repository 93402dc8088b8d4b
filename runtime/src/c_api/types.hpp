// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datatypes.
#pragma once

#include <kanor/mpi.h>

#include <cstddef>
#include <memory>
#include <string>

#include "layout/pieces.hpp"
#include "ownership/lending.hpp"

/// A datatype of several elements.
struct kanor_mpi_type {
  std::shared_ptr<const kanor::rt::Pieces> pieces;
  bool is_committed = false;
};

namespace kanor::rt::c_api {

/// An error of a call: its class, and what was wrong.
struct CallError {
  int error;
  std::string text;
};

/// All of these throw CallError where there is no such datatype, or it has not been committed, or the count
/// is negative.

/// Bytes from an element to the next one.
std::size_t extent_bytes_of(MPI_Datatype type);
/// Bytes of an element, and of several.
std::size_t bytes_of(MPI_Datatype type);
/// The number of a predefined datatype, the same on all ranks and below 127; 127 if it is none.
unsigned number_of(MPI_Datatype type);
std::size_t bytes_of(int count, MPI_Datatype type);
/// Bytes of elements that follow each other without gaps; CallError otherwise.
std::size_t block_bytes_of(int count, MPI_Datatype type);
Elements elements_of(int count, MPI_Datatype type);
/// The layout of a message's elements; null: one behind the other.
std::shared_ptr<const Pieces> layout_of(MPI_Datatype type);

}  // namespace kanor::rt::c_api
