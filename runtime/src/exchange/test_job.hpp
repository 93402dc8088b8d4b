// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: a job whose ranks execute blocks.
#pragma once

#include "kanor/abi/block.hpp"
#include "kanor/kanor.hpp"
#include "transport/test_job.hpp"
