// Kanor's ranks in the programs of kernels.py.
#pragma once

#include <kanor/opi.h>

#include "report.hpp"

class Ranks {
 public:
  Ranks(int*, char***) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  void meet() const { MPI_Barrier(MPI_COMM_WORLD); }

  /// Rank 0 prints what all report.
  void tell(Report report) const {
    if (rank > 0) {
      for (const auto* const numbers : {&report.checks, &report.total, &report.communication})
        MPI_Send(numbers->data(), static_cast<int>(numbers->size()), MPI_DOUBLE, 0, tag, MPI_COMM_WORLD);
      return;
    }
    for (int other = 1; other < size; ++other) {
      Report its = report;
      for (auto* const numbers : {&its.checks, &its.total, &its.communication})
        MPI_Recv(numbers->data(), static_cast<int>(numbers->size()), MPI_DOUBLE, other, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
      merge(report, its);
    }
    print(report);
  }

  int rank = 0, size = 1;

 private:
  static constexpr int tag = 100;
};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
