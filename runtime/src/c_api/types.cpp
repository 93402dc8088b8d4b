// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datatypes of kanor/mpi.h, and what calls make of them.
#include "c_api/types.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "c_api/calls.hpp"

namespace kanor::rt::c_api {
namespace {

constexpr std::size_t size_mask = 0xff;
/// The limit of an element's extent: no address space has more.
constexpr std::size_t most_extent_bytes = std::size_t{1} << 56;
/// The limit below which datatypes are numbers, of predefined ones.
constexpr std::uintptr_t predefined = 1 << 16;

kanor_mpi_type& made_type(MPI_Datatype type) {
  if (!Calls::of(caller()).types.contains(type))
    throw CallError{MPI_ERR_TYPE, "the datatype is not one of kanor/mpi.h, or was freed"};
  return *type;
}

/// Bytes of a predefined datatype; 0 if it is none.
std::size_t predefined_bytes(MPI_Datatype type) {
  const auto number = reinterpret_cast<std::uintptr_t>(type);
  return number < predefined ? number & size_mask : 0;
}

std::size_t checked_count(int count) {
  if (count < 0) throw CallError{MPI_ERR_COUNT, "the count is " + std::to_string(count)};
  return static_cast<std::size_t>(count);
}

const Pieces& committed(MPI_Datatype type) {
  const kanor_mpi_type& made = made_type(type);
  if (!made.is_committed)
    throw CallError{MPI_ERR_TYPE, "the datatype has not been committed (MPI_Type_commit)"};
  return *made.pieces;
}

std::shared_ptr<const Pieces> pieces_of(MPI_Datatype type) {
  if (const std::size_t bytes = predefined_bytes(type)) return std::make_shared<Pieces>(Pieces::block(bytes));
  return made_type(type).pieces;
}

}  // namespace

unsigned number_of(MPI_Datatype type) {
  constexpr unsigned number_at = 8, made = 127;
  return predefined_bytes(type) ? static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(type) >> number_at)
                                : made;
}

std::size_t bytes_of(MPI_Datatype type) {
  const std::size_t bytes = predefined_bytes(type);
  return bytes ? bytes : committed(type).bytes();
}

std::size_t extent_bytes_of(MPI_Datatype type) {
  const std::size_t bytes = predefined_bytes(type);
  return bytes ? bytes : committed(type).extent_bytes();
}

std::size_t bytes_of(int count, MPI_Datatype type) { return checked_count(count) * bytes_of(type); }

std::size_t block_bytes_of(int count, MPI_Datatype type) {
  if (!predefined_bytes(type) && !committed(type).is_block())
    throw CallError{MPI_ERR_TYPE,
                    "the datatype has gaps: its elements can be lent (OPI_Lend), but not given"};
  return bytes_of(count, type);
}

Elements elements_of(int count, MPI_Datatype type) {
  if (!predefined_bytes(type)) committed(type);
  return {pieces_of(type), checked_count(count)};
}

std::shared_ptr<const Pieces> layout_of(MPI_Datatype type) {
  if (predefined_bytes(type)) return nullptr;
  const Pieces& pieces = committed(type);
  return pieces.is_block() ? nullptr : made_type(type).pieces;
}

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype* made) {
  return MPI_Type_vector(1, count, count, type, made);
}

int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype* made) {
  Rank& self = caller();
  return handled(self, "MPI_Type_vector", [&] {
    if (count < 0 || length < 0) throw CallError{MPI_ERR_COUNT, "a count is negative"};
    if (stride < length && count > 1)
      throw CallError{MPI_ERR_ARG,
                      "the stride is less than the length of a block, which kanor/mpi.h does not support"};
    const std::shared_ptr<const Pieces> one = pieces_of(type);
    std::size_t elements = 0, bytes = 0;
    if (__builtin_mul_overflow(static_cast<std::size_t>(count),
                               static_cast<std::size_t>(std::max(stride, length)), &elements) ||
        __builtin_mul_overflow(elements, one->extent_bytes(), &bytes) || bytes > most_extent_bytes)
      throw CallError{MPI_ERR_COUNT, "an element of the datatype would be larger than memory"};
    const Pieces block = one->repeated(static_cast<std::size_t>(length), one->extent_bytes());
    Pieces all = block.repeated(static_cast<std::size_t>(count),
                                static_cast<std::size_t>(stride) * one->extent_bytes());
    *made = new kanor_mpi_type{std::make_shared<const Pieces>(std::move(all))};
    Calls::of(self).types.insert(*made);
    return MPI_SUCCESS;
  });
}

int MPI_Type_commit(MPI_Datatype* type) {
  Rank& self = caller();
  return handled(self, "MPI_Type_commit", [&] {
    if (!predefined_bytes(*type)) made_type(*type).is_committed = true;
    return MPI_SUCCESS;
  });
}

int MPI_Type_free(MPI_Datatype* type) {
  Rank& self = caller();
  return handled(self, "MPI_Type_free", [&] {
    if (predefined_bytes(*type)) throw CallError{MPI_ERR_TYPE, "the datatype is predefined"};
    delete &made_type(*type);
    Calls::of(self).types.erase(*type);
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
  });
}

int MPI_Type_size(MPI_Datatype type, int* bytes) {
  Rank& self = caller();
  return handled(self, "MPI_Type_size", [&] {
    const std::size_t all = pieces_of(type)->bytes();
    *bytes = all <= std::numeric_limits<int>::max() ? static_cast<int>(all) : MPI_UNDEFINED;
    return MPI_SUCCESS;
  });
}
