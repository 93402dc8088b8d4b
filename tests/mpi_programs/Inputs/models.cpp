// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry.hpp"

const std::string models_name = "the models' own long name";

namespace {

struct Model {
  Model() { add_model("of the library"); }
  ~Model() { remove_model("of the library"); }
} model;

}  // namespace
