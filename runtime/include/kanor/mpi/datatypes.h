// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_DATATYPES_H
#define KANOR_MPI_DATATYPES_H

/// Datatypes.

#include <kanor/mpi/handles.h>
#include <kanor/mpi/type_constants.h>

#ifdef __cplusplus
extern "C" {
#endif

/// New datatypes: elements of other ones, in an order. Offsets may be negative, and elements may
/// overlap in what is sent. Where a name has an h, offsets and strides are bytes, elsewhere elements
/// of `type`. A datatype must be committed before it is used.
///
/// Cost: memory, and time to copy, for each block of bytes without gaps; for vectors and arrays
/// memory once.
int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype* made) KANOR_MPI(Type_contiguous);
/// `count` blocks of `length` elements each, whose beginnings are `stride` apart.
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype* made)
    KANOR_MPI(Type_vector);
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype* made)
    KANOR_MPI(Type_create_hvector);
/// Blocks of different lengths, and of one length.
int MPI_Type_indexed(int count, const int lengths[], const int offsets[], MPI_Datatype type,
                     MPI_Datatype* made) KANOR_MPI(Type_indexed);
int MPI_Type_create_hindexed(int count, const int lengths[], const MPI_Aint offsets[], MPI_Datatype type,
                             MPI_Datatype* made) KANOR_MPI(Type_create_hindexed);
int MPI_Type_create_indexed_block(int count, int length, const int offsets[], MPI_Datatype type,
                                  MPI_Datatype* made) KANOR_MPI(Type_create_indexed_block);
int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint offsets[], MPI_Datatype type,
                                   MPI_Datatype* made) KANOR_MPI(Type_create_hindexed_block);
int MPI_Type_create_struct(int count, const int lengths[], const MPI_Aint offsets[],
                           const MPI_Datatype types[], MPI_Datatype* made) KANOR_MPI(Type_create_struct);
/// A part of an array of `dimensions` dimensions, as long as the whole array.
int MPI_Type_create_subarray(int dimensions, const int sizes[], const int part_sizes[], const int starts[],
                             int order, MPI_Datatype type, MPI_Datatype* made)
    KANOR_MPI(Type_create_subarray);
/// The part of an array that process `rank` of `size` has, which are arranged in a grid.
int MPI_Type_create_darray(int size, int rank, int dimensions, const int sizes[], const int distributions[],
                           const int arguments[], const int processes[], int order, MPI_Datatype type,
                           MPI_Datatype* made) KANOR_MPI(Type_create_darray);
/// The same elements with other bounds.
int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* made)
    KANOR_MPI(Type_create_resized);
int MPI_Type_dup(MPI_Datatype type, MPI_Datatype* made) KANOR_MPI(Type_dup);
int MPI_Type_commit(MPI_Datatype* type) KANOR_MPI(Type_commit);
/// Calls that have begun still complete, and datatypes that were made of it stay.
int MPI_Type_free(MPI_Datatype* type) KANOR_MPI(Type_free);

/// The number of bytes of an element, without gaps.
int MPI_Type_size(MPI_Datatype type, int* bytes) KANOR_MPI(Type_size);
int MPI_Type_size_x(MPI_Datatype type, MPI_Count* bytes) KANOR_MPI(Type_size_x);
/// An element's lower bound, and the bytes from there to the upper bound: from one element to the next.
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent) KANOR_MPI(Type_get_extent);
int MPI_Type_get_extent_x(MPI_Datatype type, MPI_Count* lower, MPI_Count* extent)
    KANOR_MPI(Type_get_extent_x);
/// The same of the bytes alone, whatever bounds the program has set.
int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent)
    KANOR_MPI(Type_get_true_extent);
int MPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count* lower, MPI_Count* extent)
    KANOR_MPI(Type_get_true_extent_x);
/// How a datatype was made (MPI_COMBINER_...), and the arguments of the call. Of datatypes that the
/// program has made there are new handles, which MPI_Type_free gives back.
int MPI_Type_get_envelope(MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner)
    KANOR_MPI(Type_get_envelope);
int MPI_Type_get_contents(MPI_Datatype type, int most_integers, int most_addresses, int most_types,
                          int integers[], MPI_Aint addresses[], MPI_Datatype types[])
    KANOR_MPI(Type_get_contents);
int MPI_Type_set_name(MPI_Datatype type, const char* name) KANOR_MPI(Type_set_name);
/// Writes a name of less than MPI_MAX_OBJECT_NAME characters.
int MPI_Type_get_name(MPI_Datatype type, char* name, int* length) KANOR_MPI(Type_get_name);
/// A predefined datatype of that class (MPI_TYPECLASS_...) and so many bytes.
int MPI_Type_match_size(int type_class, int bytes, MPI_Datatype* type) KANOR_MPI(Type_match_size);

/// Addresses, which with MPI_BOTTOM as buffer are the offsets of elements, and differences of them.
int MPI_Get_address(const void* location, MPI_Aint* address) KANOR_MPI(Get_address);
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint difference) KANOR_MPI(Aint_add);
MPI_Aint MPI_Aint_diff(MPI_Aint to, MPI_Aint from) KANOR_MPI(Aint_diff);

/// The number of basic elements of a received message, or MPI_UNDEFINED if the last one has arrived
/// in part.
int MPI_Get_elements(const MPI_Status* status, MPI_Datatype type, int* count) KANOR_MPI(Get_elements);
int MPI_Get_elements_x(const MPI_Status* status, MPI_Datatype type, MPI_Count* count)
    KANOR_MPI(Get_elements_x);
/// Sets what MPI_Get_count and MPI_Get_elements find.
int MPI_Status_set_elements(MPI_Status* status, MPI_Datatype type, int count) KANOR_MPI(Status_set_elements);
int MPI_Status_set_elements_x(MPI_Status* status, MPI_Datatype type, MPI_Count count)
    KANOR_MPI(Status_set_elements_x);

#ifdef __cplusplus
}
#endif

#endif
