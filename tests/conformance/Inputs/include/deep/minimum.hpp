#pragma once
#include <kanor/kanor.hpp>

namespace found {

/// The smallest of all ranks' values.
template <class T>
class Minimum {
 public:
  explicit Minimum(T mine) : value_(mine) {
    KANOR_COMMUNICATE(value_@i << min << mine@j where i, j in world);
  }
  T value() const { return value_; }

 private:
  T value_;
};

}  // namespace found

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
