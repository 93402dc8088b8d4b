// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of kanor/mpi.h: of each predefined datatype those that MPI allows.
#include "c_api/operations.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <type_traits>
#include <vector>

#include "c_api/calls.hpp"

namespace kanor::rt::c_api {
namespace {

struct Maximum {
  static constexpr bool on_reals = true, on_complex = false, on_integers = true, on_bytes = false;
  template <class T>
  static T of(T a, T b) {
    return a < b ? b : a;
  }
};
struct Minimum : Maximum {
  template <class T>
  static T of(T a, T b) {
    return b < a ? b : a;
  }
};
struct Sum {
  static constexpr bool on_reals = true, on_complex = true, on_integers = true, on_bytes = false;
  template <class T>
  static T of(T a, T b) {
    return a + b;
  }
};
struct Product : Sum {
  template <class T>
  static T of(T a, T b) {
    return a * b;
  }
};
struct Logical {
  static constexpr bool on_reals = false, on_complex = false, on_integers = true, on_bytes = false;
};
struct Bitwise : Logical {
  static constexpr bool on_bytes = true;
};
struct LogicalAnd : Logical {
  template <class T>
  static T of(T a, T b) {
    return a && b;
  }
};
struct LogicalOr : Logical {
  template <class T>
  static T of(T a, T b) {
    return a || b;
  }
};
struct LogicalXor : Logical {
  template <class T>
  static T of(T a, T b) {
    return !a != !b;
  }
};
struct BitwiseAnd : Bitwise {
  template <class T>
  static T of(T a, T b) {
    return a & b;
  }
};
struct BitwiseOr : Bitwise {
  template <class T>
  static T of(T a, T b) {
    return a | b;
  }
};
struct BitwiseXor : Bitwise {
  template <class T>
  static T of(T a, T b) {
    return a ^ b;
  }
};

/// The result for two elements. Integers wrap around, so those with a sign are computed without it.
template <class Op, class T>
T combined(T a, T b) {
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T> && std::is_base_of_v<Sum, Op>) {
    // Not below `unsigned`, which would become `int` again.
    using Wide = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
    return static_cast<T>(Op::of(static_cast<Wide>(a), static_cast<Wide>(b)));
  } else if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(unsigned) && std::is_base_of_v<Sum, Op>) {
    return static_cast<T>(Op::of(static_cast<unsigned>(a), static_cast<unsigned>(b)));
  } else {
    return Op::template of<T>(a, b);
  }
}

/// Folds elements. A compiler vectorises what it knows to be the same or apart, so it is told.
template <class Op, class T>
void fold(std::byte* into, const std::byte* a, const std::byte* b, std::size_t count) {
  T* const to = reinterpret_cast<T*>(into);
  const T* const first = reinterpret_cast<const T*>(a);
  const T* const second = reinterpret_cast<const T*>(b);
  if (to == first) {
    for (std::size_t i = 0; i < count; ++i) to[i] = combined<Op, T>(to[i], second[i]);
  } else {
    T* __restrict apart = to;
    for (std::size_t i = 0; i < count; ++i) apart[i] = combined<Op, T>(first[i], second[i]);
  }
}

/// The operation for elements of this type; null if it is not for such elements.
template <class Op>
Operation::Fold fold_of(MPI_Datatype type) {
  const auto integer = [&]<class T>(T) -> Operation::Fold {
    if constexpr (Op::on_integers) return &fold<Op, T>;
    return nullptr;
  };
  const auto real = [&]<class T>(T) -> Operation::Fold {
    if constexpr (Op::on_reals) return &fold<Op, T>;
    return nullptr;
  };
  const auto complex = [&]<class T>(T) -> Operation::Fold {
    if constexpr (Op::on_complex) return &fold<Op, T>;
    return nullptr;
  };
  if (type == MPI_BYTE) {
    if constexpr (Op::on_bytes) return &fold<Op, unsigned char>;
    return nullptr;
  }
  if (type == MPI_SIGNED_CHAR || type == MPI_INT8_T) return integer(static_cast<signed char>(0));
  if (type == MPI_UNSIGNED_CHAR || type == MPI_UINT8_T) return integer(static_cast<unsigned char>(0));
  if (type == MPI_SHORT || type == MPI_INT16_T) return integer(static_cast<short>(0));
  if (type == MPI_UNSIGNED_SHORT || type == MPI_UINT16_T) return integer(static_cast<unsigned short>(0));
  if (type == MPI_INT || type == MPI_INT32_T) return integer(0);
  if (type == MPI_UNSIGNED || type == MPI_UINT32_T) return integer(0U);
  if (type == MPI_LONG || type == MPI_INT64_T || type == MPI_LONG_LONG) return integer(0L);
  if (type == MPI_UNSIGNED_LONG || type == MPI_UINT64_T || type == MPI_UNSIGNED_LONG_LONG)
    return integer(0UL);
  if (type == MPI_FLOAT) return real(0.0F);
  if (type == MPI_DOUBLE) return real(0.0);
  if (type == MPI_LONG_DOUBLE) return real(0.0L);
  if (type == MPI_C_FLOAT_COMPLEX) return complex(std::complex<float>());
  if (type == MPI_C_DOUBLE_COMPLEX) return complex(std::complex<double>());
  return nullptr;
}

/// The predefined operations by their numbers in kanor/mpi.h.
constexpr Operation::Fold (*predefined[])(MPI_Datatype) = {nullptr,
                                                           fold_of<Maximum>,
                                                           fold_of<Minimum>,
                                                           fold_of<Sum>,
                                                           fold_of<Product>,
                                                           fold_of<LogicalAnd>,
                                                           fold_of<BitwiseAnd>,
                                                           fold_of<LogicalOr>,
                                                           fold_of<BitwiseOr>,
                                                           fold_of<LogicalXor>,
                                                           fold_of<BitwiseXor>};

}  // namespace

Operation::Operation(MPI_Op op, MPI_Datatype type) : type_(type), element_bytes_(bytes_of(type)) {
  if (layout_of(type))
    throw CallError{MPI_ERR_TYPE, "the datatype has gaps, which reductions do not support"};
  const auto number = reinterpret_cast<std::uintptr_t>(op);
  if (op == MPI_OP_NULL) throw CallError{MPI_ERR_OP, "the operation is MPI_OP_NULL"};
  if (number < std::size(predefined)) {
    fold_ = predefined[number](type);
    if (!fold_) throw CallError{MPI_ERR_OP, "the operation is not defined for elements of that datatype"};
  } else {
    if (!Calls::of(caller()).operations.contains(op))
      throw CallError{MPI_ERR_OP, "the operation is not one of kanor/mpi.h, or was freed"};
    function_ = op->function;
  }
}

void Operation::apply(std::byte* into, const std::byte* a, const std::byte* b, std::size_t count) const {
  if (fold_) return fold_(into, a, b, count);
  // The function's second argument becomes the result, and its first one may be where that goes.
  const std::size_t bytes = count * element_bytes_;
  std::vector<std::byte> apart;
  std::byte* inout = into;
  if (into == a) {
    apart.resize(bytes);
    inout = apart.data();
  }
  if (inout != b) std::memcpy(inout, b, bytes);
  int length = static_cast<int>(count);
  MPI_Datatype type = type_;
  function_(const_cast<std::byte*>(a), inout, &length, &type);
  if (inout != into) std::memcpy(into, inout, bytes);
}

collectives::ElementOperation Operation::by_elements() {
  return {[](void* state, std::byte* into, const std::byte* a, const std::byte* b, std::size_t count) {
            static_cast<Operation*>(state)->apply(into, a, b, count);
          },
          this, element_bytes_};
}

collectives::Operation Operation::of(std::size_t count) {
  count_ = count;
  return {[](void* state, std::byte* into, std::byte* other) {
            const auto& operation = *static_cast<Operation*>(state);
            operation.apply(into, into, other, operation.count_);
          },
          this};
}

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Op_create(MPI_User_function* function, int, MPI_Op* op) {
  Rank& self = caller();
  return handled(self, "MPI_Op_create", [&] {
    if (!function || !op) throw CallError{MPI_ERR_ARG, "the function or the operation's address is NULL"};
    *op = new kanor_mpi_op{function};
    Calls::of(self).operations.insert(*op);
    return MPI_SUCCESS;
  });
}

int MPI_Op_free(MPI_Op* op) {
  Rank& self = caller();
  return handled(self, "MPI_Op_free", [&] {
    if (!op || Calls::of(self).operations.erase(*op) == 0)
      throw CallError{MPI_ERR_OP, "the operation was not created by MPI_Op_create, or was freed"};
    delete *op;
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
  });
}
