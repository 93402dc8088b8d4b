// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigen's dense matrices and arrays in blocks. Include this header before the blocks that send
// them.
//
//     Eigen::MatrixXd a, b;
//     @communicate { a@0 <<= b@1; a.col(3)[:]@i <<= b.row(0)[:]@0 where i in world }
//
// Eigen::Matrix and Eigen::Array travel whole; the place takes the size of the value. Matrices,
// Map, Ref, Block, transposes and all other objects with elements in memory are bases of sections.
// Types that are vectors have one dimension, all others have two, rows first. Expressions do not
// travel: write (a + b).eval().
#pragma once

#include <Eigen/Core>
#include <type_traits>

#include "kanor/abi/codec.hpp"
#include "kanor/kanor.hpp"

namespace kanor::adapt {

/// Finds the class of a dense expression. Never defined.
template <class Dense>
Dense eigen_class(const Eigen::DenseBase<Dense>*);

/// A dense expression of Eigen's whose coefficients lie in memory.
template <class T>
concept eigen_in_memory = std::is_class_v<T> && requires(const T* object) {
  requires std::is_same_v<decltype(eigen_class(object)), T>;
  requires(static_cast<unsigned>(T::Flags) & Eigen::DirectAccessBit) != 0;
};

/// True for arithmetic types and complex numbers of them, whose bytes are the value.
template <class Scalar>
inline constexpr bool is_plain_scalar = std::is_arithmetic_v<Scalar> ||
                                        (Eigen::NumTraits<Scalar>::IsComplex &&
                                         std::is_arithmetic_v<typename Eigen::NumTraits<Scalar>::Real>);

/// Writes the coefficients of a plain matrix to an archive, in memory order.
template <class Archive, class Plain>
void save_eigen(Archive& archive, const Plain& plain) {
  using Scalar = typename Plain::Scalar;
  if constexpr (is_plain_scalar<Scalar> && requires { archive.write(plain.data(), sizeof(Scalar)); }) {
    archive.write(plain.data(), static_cast<std::size_t>(plain.size()) * sizeof(Scalar));
  } else {
    for (Eigen::Index at = 0; at < plain.size(); ++at) archive(plain.data()[at]);
  }
}

/// Reads the coefficients from an archive into a plain matrix, which must have the right size.
template <class Archive, class Plain>
void load_eigen(Archive& archive, Plain& plain) {
  using Scalar = typename Plain::Scalar;
  if constexpr (is_plain_scalar<Scalar> && requires { archive.read(plain.data(), sizeof(Scalar)); }) {
    archive.read(plain.data(), static_cast<std::size_t>(plain.size()) * sizeof(Scalar));
  } else {
    for (Eigen::Index at = 0; at < plain.size(); ++at) archive(plain.data()[at]);
  }
}

}  // namespace kanor::adapt

namespace kanor {

/// Objects with coefficients in memory are bases of sections.
template <class Dense>
requires(adapt::eigen_in_memory<std::remove_const_t<Dense>>) struct shape_of<Dense> {
  using element = std::remove_pointer_t<decltype(std::declval<Dense&>().data())>;
  /// One dimension for vectors.
  static constexpr int rank = Dense::IsVectorAtCompileTime ? 1 : 2;
  /// True if the object owns its coefficients, as matrices and arrays do.
  static constexpr bool owns =
      std::is_same_v<std::remove_const_t<Dense>, typename std::remove_const_t<Dense>::PlainObject>;
  /// The first coefficient, and the extents and strides in coefficients.
  static element* data(Dense& dense) { return dense.data(); }
  static long long extent(const Dense& dense, int dimension) {
    return rank == 1 ? dense.size() : dimension == 0 ? dense.rows() : dense.cols();
  }
  static long long stride(const Dense& dense, int dimension) {
    return rank == 1 ? dense.innerStride() : dimension == 0 ? dense.rowStride() : dense.colStride();
  }
};

}  // namespace kanor

// Matrices whose type says their size are their coefficients' bytes.
namespace kanor::abi {

template <class Scalar, int rows, int cols, int options, int max_rows, int max_cols>
requires(rows >= 0 && cols >= 0 && adapt::is_plain_scalar<Scalar>) inline constexpr bool flat<
    Eigen::Matrix<Scalar, rows, cols, options, max_rows, max_cols>> = true;
template <class Scalar, int rows, int cols, int options, int max_rows, int max_cols>
requires(rows >= 0 && cols >= 0 && adapt::is_plain_scalar<Scalar>) inline constexpr bool flat<
    Eigen::Array<Scalar, rows, cols, options, max_rows, max_cols>> = true;

}  // namespace kanor::abi

// Where a call finds them beside the class, which is cereal's convention.
namespace Eigen {

/// Writes a matrix to a cereal archive: its size, then its coefficients in memory order.
template <class Archive, class Scalar, int rows, int cols, int options, int max_rows, int max_cols>
void save(Archive& archive, const Matrix<Scalar, rows, cols, options, max_rows, max_cols>& matrix) {
  archive(static_cast<long long>(matrix.rows()), static_cast<long long>(matrix.cols()));
  kanor::adapt::save_eigen(archive, matrix);
}
/// Reads a matrix from an archive. Its size becomes that of the written one.
template <class Archive, class Scalar, int rows, int cols, int options, int max_rows, int max_cols>
void load(Archive& archive, Matrix<Scalar, rows, cols, options, max_rows, max_cols>& matrix) {
  long long row_count = 0, column_count = 0;
  archive(row_count, column_count);
  matrix.resize(static_cast<Index>(row_count), static_cast<Index>(column_count));
  kanor::adapt::load_eigen(archive, matrix);
}

/// The same for arrays.
template <class Archive, class Scalar, int rows, int cols, int options, int max_rows, int max_cols>
void save(Archive& archive, const Array<Scalar, rows, cols, options, max_rows, max_cols>& array) {
  archive(static_cast<long long>(array.rows()), static_cast<long long>(array.cols()));
  kanor::adapt::save_eigen(archive, array);
}
/// The same for arrays.
template <class Archive, class Scalar, int rows, int cols, int options, int max_rows, int max_cols>
void load(Archive& archive, Array<Scalar, rows, cols, options, max_rows, max_cols>& array) {
  long long row_count = 0, column_count = 0;
  archive(row_count, column_count);
  array.resize(static_cast<Index>(row_count), static_cast<Index>(column_count));
  kanor::adapt::load_eigen(archive, array);
}

}  // namespace Eigen
