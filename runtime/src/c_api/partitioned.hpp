// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitioned messages: what a request keeps from one MPI_Start to the next.
#pragma once

#include "transport/rank.hpp"

namespace kanor::rt::c_api {

struct Request;

/// One side of a partitioned message. Belongs to the recipe of its request.
class Partitioned {
 public:
  virtual ~Partitioned() = default;
  /// Begins the request, which is inactive.
  virtual void start(Rank& self, Request& request) = 0;
};

}  // namespace kanor::rt::c_api
