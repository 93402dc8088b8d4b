// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/mpi.h: elements without gaps in the program's buffers, and how many of them have arrived.
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "c_api/calls.hpp"
#include "c_api/external32.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

/// A buffer of packed elements, and the position of the next one.
template <class Position>
std::size_t position_in(Position size, const Position* position, std::size_t bytes) {
  if (!position) throw CallError{MPI_ERR_ARG, "the address of the position is NULL"};
  if (*position < 0 || size < *position || static_cast<std::size_t>(size - *position) < bytes)
    throw CallError{MPI_ERR_ARG, std::to_string(bytes) + " bytes do not fit at position " +
                                     std::to_string(*position) + " of " + std::to_string(size)};
  return static_cast<std::size_t>(*position);
}

void check_data(const void* data, std::size_t bytes, const Layout* layout) {
  if (is_nowhere(data, bytes, layout)) throw CallError{MPI_ERR_BUFFER, "the elements' address is NULL"};
}

/// Copies elements to where they follow each other without gaps.
void pack_elements(std::byte* to, const void* data, int count, MPI_Datatype type) {
  const std::size_t bytes = bytes_of(count, type);
  const std::shared_ptr<const Layout> layout = layout_of(type);
  check_data(data, bytes, layout.get());
  if (layout)
    layout->pack(to, static_cast<const std::byte*>(data), static_cast<std::size_t>(count));
  else if (bytes > 0)
    std::memcpy(to, data, bytes);
}

void unpack_elements(void* data, const std::byte* from, int count, MPI_Datatype type) {
  const std::size_t bytes = bytes_of(count, type);
  const std::shared_ptr<const Layout> layout = layout_of(type);
  check_data(data, bytes, layout.get());
  if (layout)
    layout->unpack(static_cast<std::byte*>(data), from, bytes);
  else if (bytes > 0)
    std::memcpy(data, from, bytes);
}

void check_representation(const char* name) {
  if (!name || std::strcmp(name, "external32") != 0)
    throw CallError{MPI_ERR_ARG, "the representation is not \"external32\""};
}

/// The basic elements of a datatype in the external representation, and the bytes of `count` elements.
struct External {
  External(const char* representation, int its_count, MPI_Datatype type)
      : native_bytes(bytes_of(its_count, type)),
        definition(definition_of(type)),
        count(static_cast<std::size_t>(its_count)) {
    check_representation(representation);
    bytes = count * external_bytes(definition->signature);
  }

  std::size_t native_bytes;
  std::shared_ptr<const TypeDefinition> definition;
  std::size_t count, bytes = 0;
};

/// The body of the calls that ask how many basic elements have arrived.
template <class Number>
int get_elements(const char* call, const MPI_Status* status, MPI_Datatype type, Number* count) {
  Rank& self = caller();
  return handled(self, call, [&] {
    const std::optional<std::size_t> found = definition_of(type)->signature.elements_in(status->kanor_bytes);
    const bool fits = found && *found <= static_cast<std::size_t>(std::numeric_limits<Number>::max());
    *count = fits ? static_cast<Number>(*found) : MPI_UNDEFINED;
    return MPI_SUCCESS;
  });
}

int set_elements(const char* call, MPI_Status* status, MPI_Datatype type, MPI_Count count) {
  Rank& self = caller();
  return handled(self, call, [&] {
    if (count < 0) throw CallError{MPI_ERR_COUNT, "the count is " + std::to_string(count)};
    status->kanor_bytes = static_cast<std::size_t>(count) * definition_of(type)->layout.bytes();
    return MPI_SUCCESS;
  });
}

}  // namespace

int MPI_Pack(const void* data, int count, MPI_Datatype type, void* packed, int size, int* position,
             MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, "MPI_Pack", comm, [&] {
    communicator(self, comm);
    const std::size_t bytes = bytes_of(count, type);
    pack_elements(static_cast<std::byte*>(packed) + position_in(size, position, bytes), data, count, type);
    *position += static_cast<int>(bytes);
    return MPI_SUCCESS;
  });
}

int MPI_Unpack(const void* packed, int size, int* position, void* data, int count, MPI_Datatype type,
               MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, "MPI_Unpack", comm, [&] {
    communicator(self, comm);
    const std::size_t bytes = bytes_of(count, type);
    unpack_elements(data, static_cast<const std::byte*>(packed) + position_in(size, position, bytes), count,
                    type);
    *position += static_cast<int>(bytes);
    return MPI_SUCCESS;
  });
}

int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int* size) {
  Rank& self = caller();
  return handled(self, "MPI_Pack_size", comm, [&] {
    communicator(self, comm);
    const std::size_t bytes = bytes_of(count, type);
    *size = bytes <= std::numeric_limits<int>::max() ? static_cast<int>(bytes) : MPI_UNDEFINED;
    return MPI_SUCCESS;
  });
}

int MPI_Pack_external(const char representation[], const void* data, int count, MPI_Datatype type,
                      void* packed, MPI_Aint size, MPI_Aint* position) {
  Rank& self = caller();
  return handled(self, "MPI_Pack_external", [&] {
    const External external(representation, count, type);
    const std::size_t at = position_in(size, position, external.bytes);
    std::vector<std::byte> native(external.native_bytes);
    pack_elements(native.data(), data, count, type);
    to_external(static_cast<std::byte*>(packed) + at, native.data(), external.definition->signature,
                external.count);
    *position += static_cast<MPI_Aint>(external.bytes);
    return MPI_SUCCESS;
  });
}

int MPI_Unpack_external(const char representation[], const void* packed, MPI_Aint size, MPI_Aint* position,
                        void* data, int count, MPI_Datatype type) {
  Rank& self = caller();
  return handled(self, "MPI_Unpack_external", [&] {
    const External external(representation, count, type);
    const std::size_t at = position_in(size, position, external.bytes);
    std::vector<std::byte> native(external.native_bytes);
    from_external(native.data(), static_cast<const std::byte*>(packed) + at, external.definition->signature,
                  external.count);
    unpack_elements(data, native.data(), count, type);
    *position += static_cast<MPI_Aint>(external.bytes);
    return MPI_SUCCESS;
  });
}

int MPI_Pack_external_size(const char representation[], int count, MPI_Datatype type, MPI_Aint* size) {
  Rank& self = caller();
  return handled(self, "MPI_Pack_external_size", [&] {
    *size = static_cast<MPI_Aint>(External(representation, count, type).bytes);
    return MPI_SUCCESS;
  });
}

int MPI_Get_elements(const MPI_Status* status, MPI_Datatype type, int* count) {
  return get_elements("MPI_Get_elements", status, type, count);
}

int MPI_Get_elements_x(const MPI_Status* status, MPI_Datatype type, MPI_Count* count) {
  return get_elements("MPI_Get_elements_x", status, type, count);
}

int MPI_Status_set_elements(MPI_Status* status, MPI_Datatype type, int count) {
  return set_elements("MPI_Status_set_elements", status, type, count);
}

int MPI_Status_set_elements_x(MPI_Status* status, MPI_Datatype type, MPI_Count count) {
  return set_elements("MPI_Status_set_elements_x", status, type, count);
}

KANOR_PROFILED(Pack)
KANOR_PROFILED(Unpack)
KANOR_PROFILED(Pack_size)
KANOR_PROFILED(Pack_external)
KANOR_PROFILED(Unpack_external)
KANOR_PROFILED(Pack_external_size)
KANOR_PROFILED(Get_elements)
KANOR_PROFILED(Get_elements_x)
KANOR_PROFILED(Status_set_elements)
KANOR_PROFILED(Status_set_elements_x)
