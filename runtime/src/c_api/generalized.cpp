// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI's generalized requests: the program completes them.
#include <kanor/mpi.h>

#include <atomic>
#include <memory>
#include <string>

#include "c_api/completion.hpp"
#include "transport/rank_state.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

/// Notes an error of the program's function, and returns it.
int noted(int error) {
  if (error == MPI_SUCCESS) return error;
  Calls& calls = Calls::of(caller());
  calls.error = error;
  calls.text = "the program's function of the request has returned error code " + std::to_string(error);
  return error;
}

class Generalized final : public Pending {
 public:
  Generalized(MPI_Grequest_query_function* query, MPI_Grequest_free_function* release,
              MPI_Grequest_cancel_function* cancel, void* state)
      : query_(query), release_(release), cancel_(cancel), state_(state) {}

  bool is_done(Rank&) override { return done_.load(std::memory_order_acquire); }
  int get_status(MPI_Status& status) override {
    return query_ ? noted(query_(state_, &status)) : MPI_SUCCESS;
  }
  void cancel() override {
    if (cancel_) cancel_(state_, done_.load(std::memory_order_acquire));
  }
  int release() override { return release_ ? noted(release_(state_)) : MPI_SUCCESS; }

  /// May be called on another thread than the one that waits.
  void complete() { done_.store(true, std::memory_order_release); }

 private:
  MPI_Grequest_query_function* query_;
  MPI_Grequest_free_function* release_;
  MPI_Grequest_cancel_function* cancel_;
  void* state_;
  std::atomic<bool> done_{false};
};

}  // namespace

int MPI_Grequest_start(MPI_Grequest_query_function* query, MPI_Grequest_free_function* release,
                       MPI_Grequest_cancel_function* cancel, void* state, MPI_Request* request) {
  Rank& self = caller();
  return handled(self, "MPI_Grequest_start", [&] {
    request_at(request) = MPI_REQUEST_NULL;
    Calls& calls = Calls::of(self);
    const auto [made, handle] = calls.new_request(calls.world);
    made.call = "MPI_Grequest_start";
    made.pending = std::make_unique<Generalized>(query, release, cancel, state);
    *request = handle;
    return MPI_SUCCESS;
  });
}

int MPI_Grequest_complete(MPI_Request handle) {
  Rank& self = caller();
  return handled(self, "MPI_Grequest_complete", [&] {
    Calls& calls = Calls::of(self);
    Request* const request = calls.requests.find(handle);
    auto* const generalized = request ? dynamic_cast<Generalized*>(request->pending.get()) : nullptr;
    if (!generalized) throw CallError{MPI_ERR_REQUEST, "the request is not one of MPI_Grequest_start"};
    const bool is_freed = request->is_freed;
    generalized->complete();
    self.mailbox.wake();
    if (is_freed) calls.free_those_done();
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Grequest_start)
KANOR_PROFILED(Grequest_complete)
