// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In each rank, constructors of the program find what those of its shared libraries have made, even
// early ones, and destructors find it still there.
#include <mpi.h>

#include <string>

#include "Inputs/registry.hpp"
#include "check.h"
#include "one_process.h"

namespace {

struct Model {
  Model() { add_model(name); }
  ~Model() { remove_model(name); }
  std::string name = "of the program, like " + models_name;
} model;

int found_early = -1;

[[gnu::constructor(110)]] void begin() { found_early = models(); }

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  check_one_process();
  CHECK_EQ(found_early, 1);
  CHECK_EQ(models(), 2);
  CHECK_EQ(static_cast<int>(model.name.size()), 21 + static_cast<int>(models_name.size()));
  return check_finish();
}
