// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/mpi/fortran.h.
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "c_api/new_communicator.hpp"
#include "c_api/type_making.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

static_assert(sizeof(MPI_Status) % sizeof(MPI_Fint) == 0);

namespace {

/// A datatype of Fortran's, by what its elements can represent.
struct Kind90 {
  int digits, exponent;
  MPI_Datatype type, complex;
};

constexpr Kind90 integers[] = {{2, 0, MPI_INTEGER1, MPI_DATATYPE_NULL},
                               {4, 0, MPI_INTEGER2, MPI_DATATYPE_NULL},
                               {9, 0, MPI_INTEGER4, MPI_DATATYPE_NULL},
                               {18, 0, MPI_INTEGER8, MPI_DATATYPE_NULL}};
constexpr Kind90 reals[] = {{6, 37, MPI_REAL4, MPI_COMPLEX8},
                            {15, 307, MPI_REAL8, MPI_COMPLEX16},
                            {18, 4931, MPI_LONG_DOUBLE, MPI_C_LONG_DOUBLE_COMPLEX}};

std::string text_of_number(int number) {
  return number == MPI_UNDEFINED ? "MPI_UNDEFINED" : std::to_string(number);
}

/// Copies a status of one language into one of the other's. `nothing`: the error if there is none.
template <class From, class To>
int convert(const char* name, const From* status, const char* nothing, To* made) {
  Rank& self = caller();
  return handled(self, name, [&] {
    if (!status) throw CallError{MPI_ERR_ARG, nothing};
    std::memcpy(&result_at(made), status, sizeof(MPI_Status));
    return MPI_SUCCESS;
  });
}

/// The first one that is enough. MPI_UNDEFINED is less than all numbers.
template <std::size_t count>
const Kind90& smallest(const Kind90 (&kinds)[count], int digits, int exponent) {
  for (const Kind90& kind : kinds)
    if (digits <= kind.digits && exponent <= kind.exponent) return kind;
  throw CallError{MPI_ERR_ARG, "there is no datatype with " + text_of_number(digits) +
                                   " digits and the exponent " + text_of_number(exponent)};
}

/// The body of all: the parameters are those that the call has, and `kind` finds the datatype.
template <class Find>
int f90_type(const char* call, int combiner, std::vector<int> parameters, MPI_Datatype* made, Find find) {
  Rank& self = caller();
  return handled(self, call, [&] {
    result_at(made) = MPI_DATATYPE_NULL;
    Calls& calls = Calls::of(self);
    MPI_Datatype& known = calls.f90_types[{combiner, parameters.front(), parameters.back()}];
    if (known == 0) {
      const MPI_Datatype type = find();
      const std::shared_ptr<const TypeDefinition> like = definition_of(type);
      known = new_type(self, std::make_shared<const TypeDefinition>(TypeDefinition{
                                 like->layout, like->signature, {combiner, std::move(parameters), {}, {}}}));
      Datatype& added = *calls.types.find(known);
      added.stands_for = type;
      added.is_committed = true;
    }
    *made = known;
    return MPI_SUCCESS;
  });
}

int floating(const char* call, int combiner, int digits, int exponent, MPI_Datatype* made) {
  return f90_type(call, combiner, {digits, exponent}, made, [&] {
    if (digits == MPI_UNDEFINED && exponent == MPI_UNDEFINED)
      throw CallError{MPI_ERR_ARG, "both the digits and the exponent are MPI_UNDEFINED"};
    const Kind90& kind = smallest(reals, digits, exponent);
    return combiner == MPI_COMBINER_F90_COMPLEX ? kind.complex : kind.type;
  });
}

}  // namespace

MPI_Fint MPI_Comm_c2f(MPI_Comm handle) { return handle; }
MPI_Comm MPI_Comm_f2c(MPI_Fint handle) { return handle; }
MPI_Fint MPI_Group_c2f(MPI_Group handle) { return handle; }
MPI_Group MPI_Group_f2c(MPI_Fint handle) { return handle; }
MPI_Fint MPI_Type_c2f(MPI_Datatype handle) { return handle; }
MPI_Datatype MPI_Type_f2c(MPI_Fint handle) { return handle; }
MPI_Fint MPI_Op_c2f(MPI_Op handle) { return handle; }
MPI_Op MPI_Op_f2c(MPI_Fint handle) { return handle; }
MPI_Fint MPI_Request_c2f(MPI_Request handle) { return handle; }
MPI_Request MPI_Request_f2c(MPI_Fint handle) { return handle; }
MPI_Fint MPI_Errhandler_c2f(MPI_Errhandler handle) { return handle; }
MPI_Errhandler MPI_Errhandler_f2c(MPI_Fint handle) { return handle; }
MPI_Fint MPI_Info_c2f(MPI_Info handle) { return handle; }
MPI_Info MPI_Info_f2c(MPI_Fint handle) { return handle; }
MPI_Fint MPI_Message_c2f(MPI_Message handle) { return handle; }
MPI_Message MPI_Message_f2c(MPI_Fint handle) { return handle; }

int MPI_Status_c2f(const MPI_Status* status, MPI_Fint* made) {
  return convert("MPI_Status_c2f", status, "the status is MPI_STATUS_IGNORE", made);
}

int MPI_Status_f2c(const MPI_Fint* status, MPI_Status* made) {
  return convert("MPI_Status_f2c", status, "the status is MPI_F_STATUS_IGNORE", made);
}

int MPI_Type_create_f90_integer(int digits, MPI_Datatype* made) {
  return f90_type("MPI_Type_create_f90_integer", MPI_COMBINER_F90_INTEGER, {digits}, made,
                  [&] { return smallest(integers, digits, MPI_UNDEFINED).type; });
}

int MPI_Type_create_f90_real(int digits, int exponent, MPI_Datatype* made) {
  return floating("MPI_Type_create_f90_real", MPI_COMBINER_F90_REAL, digits, exponent, made);
}

int MPI_Type_create_f90_complex(int digits, int exponent, MPI_Datatype* made) {
  return floating("MPI_Type_create_f90_complex", MPI_COMBINER_F90_COMPLEX, digits, exponent, made);
}

KANOR_PROFILED(Comm_c2f)
KANOR_PROFILED(Comm_f2c)
KANOR_PROFILED(Group_c2f)
KANOR_PROFILED(Group_f2c)
KANOR_PROFILED(Type_c2f)
KANOR_PROFILED(Type_f2c)
KANOR_PROFILED(Op_c2f)
KANOR_PROFILED(Op_f2c)
KANOR_PROFILED(Request_c2f)
KANOR_PROFILED(Request_f2c)
KANOR_PROFILED(Errhandler_c2f)
KANOR_PROFILED(Errhandler_f2c)
KANOR_PROFILED(Info_c2f)
KANOR_PROFILED(Info_f2c)
KANOR_PROFILED(Message_c2f)
KANOR_PROFILED(Message_f2c)
KANOR_PROFILED(Status_c2f)
KANOR_PROFILED(Status_f2c)
KANOR_PROFILED(Type_create_f90_integer)
KANOR_PROFILED(Type_create_f90_real)
KANOR_PROFILED(Type_create_f90_complex)
