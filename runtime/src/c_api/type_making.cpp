// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/mpi.h: datatypes that are made of blocks of others.
#include "c_api/type_making.hpp"

#include <unordered_map>
#include <vector>

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

std::size_t checked_length(int length) {
  if (length < 0) throw CallError{MPI_ERR_ARG, "the length of a block is " + std::to_string(length)};
  return static_cast<std::size_t>(length);
}

std::ptrdiff_t times(std::ptrdiff_t offset, std::ptrdiff_t extent) {
  std::ptrdiff_t bytes = 0;
  if (__builtin_mul_overflow(offset, extent, &bytes)) throw std::overflow_error("an offset");
  return bytes;
}

/// Copies of an array's elements; none if there is no array.
template <class T>
std::vector<T> copied(int count, const T* array) {
  return count > 0 ? std::vector<T>(array, array + count) : std::vector<T>();
}

TypeDefinition vector_of(int count, int length, std::ptrdiff_t stride_bytes, const TypeDefinition& one) {
  const std::size_t blocks = checked_count(count), elements = checked_length(length);
  return {one.layout.repeated(elements).repeated(blocks, stride_bytes),
          one.signature.repeated(elements).repeated(blocks),
          {}};
}

/// Blocks of one datatype, of which `length_of` and `offset_of` tell the numbers of elements, and the bytes
/// before them. Blocks of the same length share what they are made of.
template <class LengthOf, class OffsetOf>
TypeDefinition blocks_of(int count, const TypeDefinition& one, LengthOf length_of, OffsetOf offset_of) {
  const std::size_t blocks = checked_count(count);
  std::unordered_map<std::size_t, Layout> by_length;
  std::vector<Layout::Part> parts;
  parts.reserve(blocks);
  std::size_t all = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t length = checked_length(length_of(i));
    if (length == 0) continue;
    auto found = by_length.find(length);
    if (found == by_length.end()) found = by_length.emplace(length, one.layout.repeated(length)).first;
    parts.push_back({offset_of(i), &found->second});
    all += length;
  }
  return {Layout::sequence(parts, false), one.signature.repeated(all), {}};
}

int make_hvector(const char* call, int count, int length, MPI_Aint stride, MPI_Datatype type,
                 MPI_Datatype* made) {
  return make_type(call, made, [&] {
    const TypeReference of = reference_to(type);
    TypeDefinition defined = vector_of(count, length, stride, *of.definition);
    defined.contents = {MPI_COMBINER_HVECTOR, {count, length}, {stride}, {of}};
    return defined;
  });
}

int make_hindexed(const char* call, int count, const int lengths[], const MPI_Aint offsets[],
                  MPI_Datatype type, MPI_Datatype* made) {
  return make_type(call, made, [&] {
    check_array(count, lengths, "lengths");
    check_array(count, offsets, "offsets");
    const TypeReference of = reference_to(type);
    TypeDefinition defined = blocks_of(
        count, *of.definition, [&](std::size_t i) { return lengths[i]; },
        [&](std::size_t i) { return offsets[i]; });
    defined.contents = {MPI_COMBINER_HINDEXED, {count}, copied(count, offsets), {of}};
    defined.contents.integers.insert(defined.contents.integers.end(), lengths, lengths + count);
    return defined;
  });
}

int make_struct(const char* call, int count, const int lengths[], const MPI_Aint offsets[],
                const MPI_Datatype types[], MPI_Datatype* made) {
  return make_type(call, made, [&] {
    check_array(count, lengths, "lengths");
    check_array(count, offsets, "offsets");
    check_array(count, types, "datatypes");
    Contents contents{MPI_COMBINER_STRUCT, {count}, copied(count, offsets), {}};
    std::vector<std::unique_ptr<Layout>> blocks;
    std::vector<Layout::Part> parts;
    Signature signature;
    for (int i = 0; i < count; ++i) {
      const std::size_t length = checked_length(lengths[i]);
      contents.integers.push_back(lengths[i]);
      contents.types.push_back(reference_to(types[i]));
      const TypeDefinition& one = *contents.types.back().definition;
      if (length == 0) continue;
      blocks.push_back(std::make_unique<Layout>(one.layout.repeated(length)));
      parts.push_back({offsets[i], blocks.back().get()});
      signature.append(one.signature.repeated(length));
    }
    return TypeDefinition{Layout::sequence(parts, true), std::move(signature), std::move(contents)};
  });
}

}  // namespace

int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype* made) {
  return make_type("MPI_Type_contiguous", made, [&] {
    const TypeReference of = reference_to(type);
    const std::size_t elements = checked_count(count);
    return TypeDefinition{of.definition->layout.repeated(elements),
                          of.definition->signature.repeated(elements),
                          {MPI_COMBINER_CONTIGUOUS, {count}, {}, {of}}};
  });
}

int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype* made) {
  return make_type("MPI_Type_vector", made, [&] {
    const TypeReference of = reference_to(type);
    TypeDefinition defined =
        vector_of(count, length, times(stride, of.definition->layout.extent()), *of.definition);
    defined.contents = {MPI_COMBINER_VECTOR, {count, length, stride}, {}, {of}};
    return defined;
  });
}

int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype* made) {
  return make_hvector("MPI_Type_create_hvector", count, length, stride, type, made);
}

int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype* made) {
  return make_hvector("MPI_Type_hvector", count, length, stride, type, made);
}

int MPI_Type_indexed(int count, const int lengths[], const int offsets[], MPI_Datatype type,
                     MPI_Datatype* made) {
  return make_type("MPI_Type_indexed", made, [&] {
    check_array(count, lengths, "lengths");
    check_array(count, offsets, "offsets");
    const TypeReference of = reference_to(type);
    TypeDefinition defined = blocks_of(
        count, *of.definition, [&](std::size_t i) { return lengths[i]; },
        [&](std::size_t i) { return times(offsets[i], of.definition->layout.extent()); });
    std::vector<int>& integers = defined.contents.integers;
    defined.contents = {MPI_COMBINER_INDEXED, {count}, {}, {of}};
    integers.insert(integers.end(), lengths, lengths + count);
    integers.insert(integers.end(), offsets, offsets + count);
    return defined;
  });
}

int MPI_Type_create_hindexed(int count, const int lengths[], const MPI_Aint offsets[], MPI_Datatype type,
                             MPI_Datatype* made) {
  return make_hindexed("MPI_Type_create_hindexed", count, lengths, offsets, type, made);
}

int MPI_Type_hindexed(int count, const int lengths[], const MPI_Aint offsets[], MPI_Datatype type,
                      MPI_Datatype* made) {
  return make_hindexed("MPI_Type_hindexed", count, lengths, offsets, type, made);
}

int MPI_Type_create_indexed_block(int count, int length, const int offsets[], MPI_Datatype type,
                                  MPI_Datatype* made) {
  return make_type("MPI_Type_create_indexed_block", made, [&] {
    check_array(count, offsets, "offsets");
    const TypeReference of = reference_to(type);
    TypeDefinition defined = blocks_of(
        count, *of.definition, [&](std::size_t) { return length; },
        [&](std::size_t i) { return times(offsets[i], of.definition->layout.extent()); });
    defined.contents = {MPI_COMBINER_INDEXED_BLOCK, {count, length}, {}, {of}};
    defined.contents.integers.insert(defined.contents.integers.end(), offsets, offsets + count);
    return defined;
  });
}

int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint offsets[], MPI_Datatype type,
                                   MPI_Datatype* made) {
  return make_type("MPI_Type_create_hindexed_block", made, [&] {
    check_array(count, offsets, "offsets");
    const TypeReference of = reference_to(type);
    TypeDefinition defined = blocks_of(
        count, *of.definition, [&](std::size_t) { return length; },
        [&](std::size_t i) { return offsets[i]; });
    defined.contents = {MPI_COMBINER_HINDEXED_BLOCK, {count, length}, copied(count, offsets), {of}};
    return defined;
  });
}

int MPI_Type_create_struct(int count, const int lengths[], const MPI_Aint offsets[],
                           const MPI_Datatype types[], MPI_Datatype* made) {
  return make_struct("MPI_Type_create_struct", count, lengths, offsets, types, made);
}

int MPI_Type_struct(int count, const int lengths[], const MPI_Aint offsets[], const MPI_Datatype types[],
                    MPI_Datatype* made) {
  return make_struct("MPI_Type_struct", count, lengths, offsets, types, made);
}

int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* made) {
  return make_type("MPI_Type_create_resized", made, [&] {
    const TypeReference of = reference_to(type);
    return TypeDefinition{of.definition->layout.resized(lower, extent),
                          of.definition->signature,
                          {MPI_COMBINER_RESIZED, {}, {lower, extent}, {of}}};
  });
}

KANOR_PROFILED(Type_contiguous)
KANOR_PROFILED(Type_vector)
KANOR_PROFILED(Type_create_hvector)
KANOR_PROFILED(Type_hvector)
KANOR_PROFILED(Type_indexed)
KANOR_PROFILED(Type_create_hindexed)
KANOR_PROFILED(Type_hindexed)
KANOR_PROFILED(Type_create_indexed_block)
KANOR_PROFILED(Type_create_hindexed_block)
KANOR_PROFILED(Type_create_struct)
KANOR_PROFILED(Type_struct)
KANOR_PROFILED(Type_create_resized)
