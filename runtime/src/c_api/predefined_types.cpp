// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/predefined_types.hpp"

#include <array>
#include <cstddef>
#include <iterator>

namespace kanor::rt::c_api {
namespace {

// The external sizes are those of MPI 3.1, table 13.2, with what MPI 4.0 has corrected: truth values have 1
// byte.
template <class T>
constexpr PredefinedType of(MPI_Datatype handle, const char* name, Basic basic,
                            std::size_t external_bytes = sizeof(T)) {
  return {handle,
          name,
          basic,
          sizeof(T),
          alignof(T),
          static_cast<unsigned char>(external_bytes),
          MPI_DATATYPE_NULL,
          MPI_DATATYPE_NULL};
}

template <class T>
constexpr PredefinedType complex(MPI_Datatype handle, const char* name) {
  return {handle,     name,      Basic::complex,    2 * sizeof(T),
          alignof(T), sizeof(T), MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
}

template <class Value, class Index>
constexpr PredefinedType pair(MPI_Datatype handle, const char* name, MPI_Datatype value, MPI_Datatype index) {
  constexpr std::size_t alignment = alignof(Value) > alignof(Index) ? alignof(Value) : alignof(Index);
  return {handle, name, Basic::pair, sizeof(Value) + sizeof(Index), alignment, 0, value, index};
}

constexpr PredefinedType marker(MPI_Datatype handle, const char* name, Basic basic) {
  return {handle, name, basic, 0, 1, 0, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
}

constexpr PredefinedType types[] = {
    of<char>(MPI_BYTE, "MPI_BYTE", Basic::bytes),
    of<char>(MPI_PACKED, "MPI_PACKED", Basic::bytes),
    of<char>(MPI_CHAR, "MPI_CHAR", Basic::character),
    of<wchar_t>(MPI_WCHAR, "MPI_WCHAR", Basic::character, 2),
    of<char>(MPI_CHARACTER, "MPI_CHARACTER", Basic::character),
    of<signed char>(MPI_SIGNED_CHAR, "MPI_SIGNED_CHAR", Basic::integer),
    of<unsigned char>(MPI_UNSIGNED_CHAR, "MPI_UNSIGNED_CHAR", Basic::natural),
    of<short>(MPI_SHORT, "MPI_SHORT", Basic::integer),
    of<unsigned short>(MPI_UNSIGNED_SHORT, "MPI_UNSIGNED_SHORT", Basic::natural),
    of<int>(MPI_INT, "MPI_INT", Basic::integer),
    of<unsigned>(MPI_UNSIGNED, "MPI_UNSIGNED", Basic::natural),
    of<long>(MPI_LONG, "MPI_LONG", Basic::integer, 4),
    of<unsigned long>(MPI_UNSIGNED_LONG, "MPI_UNSIGNED_LONG", Basic::natural, 4),
    of<long long>(MPI_LONG_LONG_INT, "MPI_LONG_LONG_INT", Basic::integer),
    of<unsigned long long>(MPI_UNSIGNED_LONG_LONG, "MPI_UNSIGNED_LONG_LONG", Basic::natural),
    of<signed char>(MPI_INT8_T, "MPI_INT8_T", Basic::integer),
    of<short>(MPI_INT16_T, "MPI_INT16_T", Basic::integer),
    of<int>(MPI_INT32_T, "MPI_INT32_T", Basic::integer),
    of<long long>(MPI_INT64_T, "MPI_INT64_T", Basic::integer),
    of<unsigned char>(MPI_UINT8_T, "MPI_UINT8_T", Basic::natural),
    of<unsigned short>(MPI_UINT16_T, "MPI_UINT16_T", Basic::natural),
    of<unsigned>(MPI_UINT32_T, "MPI_UINT32_T", Basic::natural),
    of<unsigned long long>(MPI_UINT64_T, "MPI_UINT64_T", Basic::natural),
    of<MPI_Aint>(MPI_AINT, "MPI_AINT", Basic::integer),
    of<MPI_Offset>(MPI_OFFSET, "MPI_OFFSET", Basic::integer),
    of<MPI_Count>(MPI_COUNT, "MPI_COUNT", Basic::integer),
    of<float>(MPI_FLOAT, "MPI_FLOAT", Basic::real),
    of<double>(MPI_DOUBLE, "MPI_DOUBLE", Basic::real),
    of<long double>(MPI_LONG_DOUBLE, "MPI_LONG_DOUBLE", Basic::real),
    of<bool>(MPI_C_BOOL, "MPI_C_BOOL", Basic::truth),
    of<bool>(MPI_CXX_BOOL, "MPI_CXX_BOOL", Basic::truth),
    complex<float>(MPI_C_COMPLEX, "MPI_C_COMPLEX"),
    complex<double>(MPI_C_DOUBLE_COMPLEX, "MPI_C_DOUBLE_COMPLEX"),
    complex<long double>(MPI_C_LONG_DOUBLE_COMPLEX, "MPI_C_LONG_DOUBLE_COMPLEX"),
    complex<float>(MPI_CXX_FLOAT_COMPLEX, "MPI_CXX_FLOAT_COMPLEX"),
    complex<double>(MPI_CXX_DOUBLE_COMPLEX, "MPI_CXX_DOUBLE_COMPLEX"),
    complex<long double>(MPI_CXX_LONG_DOUBLE_COMPLEX, "MPI_CXX_LONG_DOUBLE_COMPLEX"),
    of<int>(MPI_LOGICAL, "MPI_LOGICAL", Basic::truth),
    of<int>(MPI_INTEGER, "MPI_INTEGER", Basic::integer),
    of<signed char>(MPI_INTEGER1, "MPI_INTEGER1", Basic::integer),
    of<short>(MPI_INTEGER2, "MPI_INTEGER2", Basic::integer),
    of<int>(MPI_INTEGER4, "MPI_INTEGER4", Basic::integer),
    of<long long>(MPI_INTEGER8, "MPI_INTEGER8", Basic::integer),
    of<float>(MPI_REAL, "MPI_REAL", Basic::real),
    of<float>(MPI_REAL4, "MPI_REAL4", Basic::real),
    of<double>(MPI_REAL8, "MPI_REAL8", Basic::real),
    of<double>(MPI_DOUBLE_PRECISION, "MPI_DOUBLE_PRECISION", Basic::real),
    complex<float>(MPI_COMPLEX, "MPI_COMPLEX"),
    complex<float>(MPI_COMPLEX8, "MPI_COMPLEX8"),
    complex<double>(MPI_COMPLEX16, "MPI_COMPLEX16"),
    complex<double>(MPI_DOUBLE_COMPLEX, "MPI_DOUBLE_COMPLEX"),
    pair<int, int>(MPI_2INT, "MPI_2INT", MPI_INT, MPI_INT),
    pair<float, int>(MPI_FLOAT_INT, "MPI_FLOAT_INT", MPI_FLOAT, MPI_INT),
    pair<double, int>(MPI_DOUBLE_INT, "MPI_DOUBLE_INT", MPI_DOUBLE, MPI_INT),
    pair<long, int>(MPI_LONG_INT, "MPI_LONG_INT", MPI_LONG, MPI_INT),
    pair<short, int>(MPI_SHORT_INT, "MPI_SHORT_INT", MPI_SHORT, MPI_INT),
    pair<long double, int>(MPI_LONG_DOUBLE_INT, "MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE, MPI_INT),
    pair<int, int>(MPI_2INTEGER, "MPI_2INTEGER", MPI_INTEGER, MPI_INTEGER),
    pair<float, float>(MPI_2REAL, "MPI_2REAL", MPI_REAL, MPI_REAL),
    pair<double, double>(MPI_2DOUBLE_PRECISION, "MPI_2DOUBLE_PRECISION", MPI_DOUBLE_PRECISION,
                         MPI_DOUBLE_PRECISION),
    marker(MPI_LB, "MPI_LB", Basic::lower_bound),
    marker(MPI_UB, "MPI_UB", Basic::upper_bound),
};

/// The number that stands for datatypes which are not predefined: all of theirs are below.
constexpr std::size_t most_numbers = 127;

constexpr std::array<unsigned char, most_numbers> indices = [] {
  std::array<unsigned char, most_numbers> made{};
  for (unsigned char i = 0; i < std::size(types); ++i)
    made[predefined_number(types[i].handle)] = static_cast<unsigned char>(i + 1);
  return made;
}();

}  // namespace

const PredefinedType* find_predefined(unsigned number) {
  if (number >= most_numbers || indices[number] == 0) return nullptr;
  return &types[indices[number] - 1];
}

}  // namespace kanor::rt::c_api
