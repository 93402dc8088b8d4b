// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/build.hpp"

int main(int count, char** words) { return kanor::driver::run_kanorc({words + 1, words + count}); }
