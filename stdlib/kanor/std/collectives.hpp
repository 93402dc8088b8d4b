// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All collective operations by value.
#pragma once

#include <kanor/std/all_reduce.hpp>
#include <kanor/std/all_to_all.hpp>
#include <kanor/std/barrier.hpp>
#include <kanor/std/broadcast.hpp>
#include <kanor/std/gather.hpp>
#include <kanor/std/gather_vectors.hpp>
#include <kanor/std/loc.hpp>
#include <kanor/std/predicates.hpp>
#include <kanor/std/reduce.hpp>
#include <kanor/std/scan.hpp>
#include <kanor/std/scatter.hpp>
