// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank's state that no communicator, datatype or request has.
#pragma once

#include <kanor/mpi.h>
#include <pthread.h>

#include <array>
#include <unordered_map>

#include "c_api/attributes.hpp"
#include "c_api/error_codes.hpp"
#include "c_api/error_handlers.hpp"
#include "c_api/handles.hpp"
#include "c_api/info.hpp"

namespace kanor::rt::c_api {

/// What a rank has told MPI of itself, and objects that others of its objects use.
struct Environment {
  bool is_initialised = false, is_finalised = false;
  bool is_closed = false;                ///< no communicator may be used any longer
  int thread_level = MPI_THREAD_SINGLE;  ///< that was provided
  pthread_t main_thread{};               ///< that has called MPI_Init

  ErrorCodes codes;
  Handles<ErrorHandler> error_handlers{HandleKind::error_handler};
  Handles<Info> infos{HandleKind::info};
  Handles<Keyval> keyvals{HandleKind::keyval};
  std::array<int, MPI_LASTUSEDCODE - MPI_TAG_UB + 1> attribute_values{};  ///< of the predefined attributes
  std::unordered_map<MPI_Datatype, Attributes> type_attributes;
};

/// If MPI_Init has been called in a static constructor, before there were ranks, it has been for this one,
/// whose state is being made.
void take_early_start(Rank& rank, Environment& environment);

}  // namespace kanor::rt::c_api
