// MPI's ranks in the programs of kernels.py.
#pragma once

#include <mpi.h>

#include "report.hpp"

class Ranks {
 public:
  Ranks(int* argc, char*** argv) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  Ranks(const Ranks&) = delete;
  ~Ranks() { MPI_Finalize(); }
  void meet() const { MPI_Barrier(MPI_COMM_WORLD); }

  /// Rank 0 prints what all report.
  void tell(const Report& report) const {
    Report all = report;
    reduce(report.checks, all.checks, MPI_SUM);
    reduce(report.total, all.total, MPI_MAX);
    reduce(report.communication, all.communication, MPI_MAX);
    if (rank == 0) print(all);
  }

  int rank = 0, size = 1;

 private:
  static void reduce(const std::vector<double>& numbers, std::vector<double>& all, MPI_Op operation) {
    MPI_Reduce(numbers.data(), all.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, operation, 0,
               MPI_COMM_WORLD);
  }
};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
