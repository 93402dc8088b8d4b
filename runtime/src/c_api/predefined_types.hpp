// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The predefined datatypes of kanor/mpi.h.
#pragma once

#include <kanor/mpi.h>

#include <cstddef>

namespace kanor::rt::c_api {

/// What the basic elements of a datatype are.
enum class Basic : unsigned char {
  bytes,        ///< which no representation changes
  character,    ///< no number, but an integer in representations
  integer,      ///< with a sign
  natural,      ///< without one
  truth,        ///< a truth value
  real,         ///< a floating-point number
  complex,      ///< two of them
  pair,         ///< a value and an index
  lower_bound,  ///< no element, but a bound
  upper_bound
};

/// A predefined datatype.
struct PredefinedType {
  MPI_Datatype handle;
  const char* name;
  Basic basic;
  unsigned char bytes, alignment;
  unsigned char external_bytes;  ///< in the representation "external32"; of a complex number's part
  MPI_Datatype value, index;     ///< a pair's
};

/// The number of a predefined datatype that its handle has; 0 if it is no such handle.
constexpr unsigned predefined_number(MPI_Datatype type) {
  constexpr unsigned none = MPI_DATATYPE_NULL, number_at = 8, size_mask = 0xff, uneven = 1U << 16;
  const unsigned rest = (static_cast<unsigned>(type) - none) & ~uneven;
  return rest <= 0xffff ? rest >> number_at & size_mask : 0;
}

/// Bytes of a predefined datatype without gaps, which its handle has; 0 if it is none.
constexpr std::size_t even_bytes(MPI_Datatype type) {
  constexpr unsigned none = MPI_DATATYPE_NULL, last = none | 0xffff, size_mask = 0xff;
  const auto handle = static_cast<unsigned>(type);
  return handle > none && handle <= last ? handle & size_mask : 0;
}

/// The predefined datatype with this number, or handle; null if there is none.
const PredefinedType* find_predefined(unsigned number);
inline const PredefinedType* find_predefined(MPI_Datatype type) {
  const PredefinedType* const found = find_predefined(predefined_number(type));
  return found && found->handle == type ? found : nullptr;
}

}  // namespace kanor::rt::c_api
