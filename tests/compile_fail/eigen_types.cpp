// REQUIRES: eigen
// RUN: %not %kanorc -isystem /usr/include/eigen3 -c %s -o %t.o 2>&1 | %FileCheck %s
// KIND: type_cannot_travel
// What Eigen offers beside dense matrices and arrays.
#include <Eigen/Geometry>
#include <kanor/kanor.hpp>

void f(Eigen::Quaterniond q, Eigen::Isometry3d t, Eigen::MatrixXd m, const Eigen::MatrixXd& n) {
  @communicate { m@0 <<= n@1 }
// CHECK: eigen_types.cpp:[[@LINE-1]]:26: error: a value of type 'Eigen::MatrixXd' cannot travel: Eigen's matrices need a header of Kanor
// CHECK: note: include <kanor/adapt/eigen.hpp>, which makes Eigen's dense matrices and arrays travel
  @communicate { q@0 <<= q@1 }
// CHECK: eigen_types.cpp:[[@LINE-1]]:26: error: a value of type 'Eigen::Quaterniond' cannot travel: of Eigen's classes only dense matrices and arrays travel
// CHECK: note: send the matrix that it holds, such as 'q.coeffs()' of a quaternion or 't.matrix()' of a transformation, with <kanor/adapt/eigen.hpp>
  @communicate { t@0 <<= t@1 }
// CHECK: eigen_types.cpp:[[@LINE-1]]:26: error: a value of type 'Eigen::Isometry3d' cannot travel: of Eigen's classes only dense matrices and arrays travel
  @communicate { m@0 <<= (m + n)@1 }
// CHECK: eigen_types.cpp:[[@LINE-1]]:26: error: a value of type 'CwiseBinaryOp<...>' cannot travel: an expression of Eigen's is computed only where it is used
// CHECK: note: send its value: write '.eval()' behind it
  @communicate { m.row(0)[:]@0 <<= m.row(1)[:]@1 }
// CHECK: eigen_types.cpp:[[@LINE-1]]:18: error: 'm.row(0)' has type '{{.*}}', which cannot have sections
// CHECK: note: include <kanor/adapt/eigen.hpp>, with which Eigen's objects in memory have sections
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
