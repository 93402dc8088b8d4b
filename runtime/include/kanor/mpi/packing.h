// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_PACKING_H
#define KANOR_MPI_PACKING_H

/// Elements one behind the other without gaps, and MPI-1's names of calls on datatypes.

#include <kanor/mpi/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Copy elements to `position` in a buffer of `size` bytes, and back, and move the position behind
/// them. What is packed can be sent as MPI_PACKED.
int MPI_Pack(const void* data, int count, MPI_Datatype type, void* packed, int size, int* position,
             MPI_Comm comm) KANOR_MPI(Pack);
int MPI_Unpack(const void* packed, int size, int* position, void* data, int count, MPI_Datatype type,
               MPI_Comm comm) KANOR_MPI(Unpack);
int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int* size) KANOR_MPI(Pack_size);
/// The same in the representation "external32": big endian, with sizes that do not depend on the machine.
/// (MPI_LONG has 4 bytes there: larger numbers do not fit.)
int MPI_Pack_external(const char representation[], const void* data, int count, MPI_Datatype type,
                      void* packed, MPI_Aint size, MPI_Aint* position) KANOR_MPI(Pack_external);
int MPI_Unpack_external(const char representation[], const void* packed, MPI_Aint size, MPI_Aint* position,
                        void* data, int count, MPI_Datatype type) KANOR_MPI(Unpack_external);
int MPI_Pack_external_size(const char representation[], int count, MPI_Datatype type, MPI_Aint* size)
    KANOR_MPI(Pack_external_size);

/// MPI-1's names of MPI_Get_address, MPI_Type_create_hvector, MPI_Type_create_hindexed,
/// MPI_Type_create_struct and MPI_Type_get_extent.
int MPI_Address(void* location, MPI_Aint* address) KANOR_MPI(Address);
int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype* made)
    KANOR_MPI(Type_hvector);
int MPI_Type_hindexed(int count, const int lengths[], const MPI_Aint offsets[], MPI_Datatype type,
                      MPI_Datatype* made) KANOR_MPI(Type_hindexed);
int MPI_Type_struct(int count, const int lengths[], const MPI_Aint offsets[], const MPI_Datatype types[],
                    MPI_Datatype* made) KANOR_MPI(Type_struct);
int MPI_Type_extent(MPI_Datatype type, MPI_Aint* extent) KANOR_MPI(Type_extent);
int MPI_Type_lb(MPI_Datatype type, MPI_Aint* lower) KANOR_MPI(Type_lb);
int MPI_Type_ub(MPI_Datatype type, MPI_Aint* upper) KANOR_MPI(Type_ub);

#ifdef __cplusplus
}
#endif

#endif
