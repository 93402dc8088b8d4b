// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of kanor/mpi.h: of each predefined datatype those that MPI allows.
#include "c_api/operations.hpp"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "c_api/calls.hpp"
#include "c_api/predefined_types.hpp"

namespace kanor::rt::c_api {
namespace {

struct Maximum {
  static constexpr bool on_reals = true, on_complex = false, on_integers = true, on_bytes = false,
                        on_truth = false;
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
  static constexpr bool on_reals = true, on_complex = true, on_integers = true, on_bytes = false,
                        on_truth = false;
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
  static constexpr bool on_reals = false, on_complex = false, on_integers = true, on_bytes = false,
                        on_truth = true;
};
struct Bitwise : Logical {
  static constexpr bool on_bytes = true, on_truth = false;
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

/// The operation for elements of this type; null if it is not for such elements (MPI 3.1, section 5.9.2).
template <class Op>
Operation::Fold fold_of(MPI_Datatype type) {
  const PredefinedType* const predefined = find_predefined(type);
  if (!predefined) return nullptr;
  const std::size_t bytes = predefined->bytes;
  switch (predefined->basic) {
    case Basic::integer:
      if constexpr (Op::on_integers) {
        if (bytes == sizeof(std::int8_t)) return &fold<Op, std::int8_t>;
        if (bytes == sizeof(std::int16_t)) return &fold<Op, std::int16_t>;
        return bytes == sizeof(std::int32_t) ? &fold<Op, std::int32_t> : &fold<Op, std::int64_t>;
      }
      return nullptr;
    case Basic::natural:
      if constexpr (Op::on_integers) {
        if (bytes == sizeof(std::uint8_t)) return &fold<Op, std::uint8_t>;
        if (bytes == sizeof(std::uint16_t)) return &fold<Op, std::uint16_t>;
        return bytes == sizeof(std::uint32_t) ? &fold<Op, std::uint32_t> : &fold<Op, std::uint64_t>;
      }
      return nullptr;
    case Basic::real:
      if constexpr (Op::on_reals) {
        if (bytes == sizeof(float)) return &fold<Op, float>;
        return bytes == sizeof(double) ? &fold<Op, double> : &fold<Op, long double>;
      }
      return nullptr;
    case Basic::complex:
      if constexpr (Op::on_complex) {
        if (bytes == sizeof(std::complex<float>)) return &fold<Op, std::complex<float>>;
        return bytes == sizeof(std::complex<double>) ? &fold<Op, std::complex<double>>
                                                     : &fold<Op, std::complex<long double>>;
      }
      return nullptr;
    case Basic::truth:
      if constexpr (Op::on_truth) return bytes == sizeof(bool) ? &fold<Op, bool> : &fold<Op, int>;
      return nullptr;
    case Basic::bytes:
      if constexpr (Op::on_bytes)
        if (type == MPI_BYTE) return &fold<Op, unsigned char>;
      return nullptr;
    default:
      return nullptr;
  }
}

/// A value and an index without a gap between them.
template <class Value, class Index>
struct [[gnu::packed]] Located {
  Value value;
  Index index;
};

struct Larger {
  template <class T>
  static bool is_better(T a, T b) {
    return a > b;
  }
};
struct Smaller {
  template <class T>
  static bool is_better(T a, T b) {
    return a < b;
  }
};

/// Of two pairs the one with the better value; of equal ones the lower index.
template <class Order, class Value, class Index>
void fold_located(std::byte* into, const std::byte* a, const std::byte* b, std::size_t count) {
  using Pair = Located<Value, Index>;
  for (std::size_t i = 0; i < count; ++i) {
    Pair first, second;
    std::memcpy(&first, a + i * sizeof(Pair), sizeof(Pair));
    std::memcpy(&second, b + i * sizeof(Pair), sizeof(Pair));
    const Value one = first.value, other = second.value;
    const bool takes_second = Order::is_better(other, one) || (one == other && second.index < first.index);
    std::memcpy(into + i * sizeof(Pair), takes_second ? &second : &first, sizeof(Pair));
  }
}

/// MPI_MAXLOC and MPI_MINLOC.
template <class Order>
Operation::Fold location_fold_of(MPI_Datatype type) {
  switch (type) {
    case MPI_2INT:
    case MPI_2INTEGER:
      return &fold_located<Order, int, int>;
    case MPI_FLOAT_INT:
      return &fold_located<Order, float, int>;
    case MPI_DOUBLE_INT:
      return &fold_located<Order, double, int>;
    case MPI_LONG_INT:
      return &fold_located<Order, long, int>;
    case MPI_SHORT_INT:
      return &fold_located<Order, short, int>;
    case MPI_LONG_DOUBLE_INT:
      return &fold_located<Order, long double, int>;
    case MPI_2REAL:
      return &fold_located<Order, float, float>;
    case MPI_2DOUBLE_PRECISION:
      return &fold_located<Order, double, double>;
    default:
      return nullptr;
  }
}

/// MPI_REPLACE and MPI_NO_OP, which are not for reductions.
Operation::Fold no_fold_of(MPI_Datatype) { return nullptr; }

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
                                                           fold_of<BitwiseXor>,
                                                           location_fold_of<Larger>,
                                                           location_fold_of<Smaller>,
                                                           no_fold_of,
                                                           no_fold_of};

}  // namespace

unsigned number_of_predefined(MPI_Op op) {
  const auto number = static_cast<unsigned>(op) - static_cast<unsigned>(MPI_OP_NULL);
  return number < std::size(predefined) ? number : 0;
}

namespace {

/// Room for elements that are laid out as a datatype says. The first one's address has any type's alignment.
class Room {
 public:
  Room(const Layout& layout, std::size_t count)
      : memory_(static_cast<std::size_t>(layout.last_of(count) - layout.first_of(count)) + alignment) {
    const auto first = static_cast<std::uintptr_t>(layout.first_of(count));
    elements_ = reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(memory_.data()) +
                                             first % alignment - first);
  }
  std::byte* elements() const { return elements_; }

 private:
  static constexpr std::uintptr_t alignment = 16;
  std::vector<std::byte> memory_;
  std::byte* elements_;
};

}  // namespace

Operation::Operation(MPI_Op op, MPI_Datatype type)
    : type_(type), element_bytes_(bytes_of(type)), layout_(layout_of(type)) {
  if (op == MPI_OP_NULL) throw CallError{MPI_ERR_OP, "the operation is MPI_OP_NULL"};
  if (const unsigned number = number_of_predefined(op)) {
    fold_ = predefined[number](meant_by(type));
    if (!fold_) throw CallError{MPI_ERR_OP, "the operation is not defined for elements of that datatype"};
  } else {
    const ProgramOperation* const made = Calls::of(caller()).operations.find(op);
    if (!made) throw CallError{MPI_ERR_OP, "the operation is not one of kanor/mpi.h, or was freed"};
    function_ = made->function;
  }
}

void Operation::apply(std::byte* into, const std::byte* a, const std::byte* b, std::size_t count) const {
  if (fold_) return fold_(into, a, b, count);
  if (layout_) return apply_with_gaps(into, a, b, count);
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

void Operation::apply_with_gaps(std::byte* into, const std::byte* a, const std::byte* b,
                                std::size_t count) const {
  const Room in(*layout_, count), inout(*layout_, count);
  layout_->unpack(in.elements(), a, count * element_bytes_);
  layout_->unpack(inout.elements(), b, count * element_bytes_);
  int length = static_cast<int>(count);
  MPI_Datatype type = type_;
  function_(in.elements(), inout.elements(), &length, &type);
  layout_->pack(into, inout.elements(), count);
}

void Operation::apply_here(const void* in, void* inout, int count) const {
  if (count == 0) return;
  if (!fold_) {
    MPI_Datatype type = type_;
    return function_(const_cast<void*>(in), inout, &count, &type);
  }
  const auto* first = static_cast<const std::byte*>(in);
  auto* const result = static_cast<std::byte*>(inout);
  const auto elements = static_cast<std::size_t>(count);
  std::vector<std::byte> packed_in, packed(elements * element_bytes_);
  if (!layout_) {
    std::memcpy(packed.data(), result, packed.size());
    return fold_(result, first, packed.data(), elements);
  }
  packed_in.resize(packed.size());
  layout_->pack(packed_in.data(), first, elements);
  layout_->pack(packed.data(), result, elements);
  fold_(packed_in.data(), packed_in.data(), packed.data(), elements);
  layout_->unpack(result, packed_in.data(), packed_in.size());
}

collectives::ElementOperation Operation::by_elements() {
  return {[](void* state, std::byte* into, const std::byte* a, const std::byte* b, std::size_t count) {
            static_cast<Operation*>(state)->apply(into, a, b, count);
          },
          this, std::max<std::size_t>(element_bytes_, 1)};
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

int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* op) {
  Rank& self = caller();
  return handled(self, "MPI_Op_create", [&] {
    if (!function || !op) throw CallError{MPI_ERR_ARG, "the function or the operation's address is NULL"};
    *op = Calls::of(self).operations.add(
        std::make_unique<ProgramOperation>(ProgramOperation{function, commutes != 0}));
    return MPI_SUCCESS;
  });
}

int MPI_Op_commutative(MPI_Op op, int* commutes) {
  Rank& self = caller();
  return handled(self, "MPI_Op_commutative", [&] {
    const ProgramOperation* const made = Calls::of(self).operations.find(op);
    if (!made && number_of_predefined(op) == 0)
      throw CallError{MPI_ERR_OP, "the operation is not one of kanor/mpi.h, or was freed"};
    *commutes = !made || made->commutes;
    return MPI_SUCCESS;
  });
}

int MPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op) {
  Rank& self = caller();
  return handled(self, "MPI_Reduce_local", [&] {
    const std::size_t bytes = bytes_of(count, type);
    const Operation operation(op, type);
    const std::shared_ptr<const Layout> layout = layout_of(type);
    if (is_nowhere(in, bytes, layout.get()) || is_nowhere(inout, bytes, layout.get()))
      throw CallError{MPI_ERR_BUFFER, "the address of the elements is NULL"};
    operation.apply_here(in, inout, count);
    return MPI_SUCCESS;
  });
}

int MPI_Op_free(MPI_Op* op) {
  Rank& self = caller();
  return handled(self, "MPI_Op_free", [&] {
    Handles<ProgramOperation>& made = Calls::of(self).operations;
    if (!op || !made.find(*op))
      throw CallError{MPI_ERR_OP, "the operation was not created by MPI_Op_create, or was freed"};
    made.remove(*op);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Op_create)
KANOR_PROFILED(Op_free)
KANOR_PROFILED(Op_commutative)
KANOR_PROFILED(Reduce_local)
