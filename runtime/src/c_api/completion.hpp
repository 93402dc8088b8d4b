// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Completing requests.
#pragma once

#include <kanor/mpi.h>

#include <utility>

#include "c_api/calls.hpp"

namespace kanor::rt::c_api {

/// A call that completes requests of a rank. Its functions throw CallError where there is no such request.
class Completion {
 public:
  explicit Completion(Rank& self) : self_(self), calls_(Calls::of(self)) {}
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  /// Returns false for MPI_REQUEST_NULL, and for a persistent request that has not been started.
  bool is_active(MPI_Request request) const;
  bool any_is_active(int count, const MPI_Request requests[]) const;
  /// Returns true if the request is done, after a look at what has come for it.
  bool is_done(MPI_Request request);
  /// Gives up a request that is done, sets its status, and returns its error class.
  int conclude(MPI_Request& request, MPI_Status* status);
  /// Waits for a request, and concludes it.
  int wait(MPI_Request& request, MPI_Status* status);
  /// The same for several. Returns MPI_ERR_IN_STATUS where one of them has failed, without statuses its
  /// error, after all have been seen to.
  int wait_all(int count, MPI_Request requests[], MPI_Status statuses[]);
  /// Concludes those that are done, and sets their number: 0 if there is none. Returns what wait_all() does.
  int conclude_some(int count, MPI_Request requests[], int& done, int indices[], MPI_Status statuses[]);
  /// Returns the index of an active request that is done, or MPI_UNDEFINED. If there are several, they are
  /// chosen in turn.
  int find_done(int count, const MPI_Request requests[]);
  /// The same after waiting for one: at least one is active.
  int wait_for_any(int count, const MPI_Request requests[]);
  /// Called after looks in vain by a rank that tests and never waits, with an active request.
  void rest(MPI_Request open);
  /// The same with the first active request of several, which there is.
  void rest_with_any(int count, const MPI_Request requests[]);
  /// Sets the status of a request that is done, and returns its error class. It remains.
  int get_status(MPI_Request request, MPI_Status* status);

  /// The communicator of the request that has failed.
  MPI_Comm blamed() const { return blamed_; }
  /// The object of a request that is neither null nor complete from the beginning.
  Request& at(MPI_Request request) const {
    Request* const open = calls_.requests.find(request);
    if (!open || open->is_freed) [[unlikely]]
      fail_no_request();
    return *open;
  }

 private:
  [[noreturn, gnu::cold]] static void fail_no_request();
  /// Waits until the request is done.
  void await(Request& request);
  /// These are wait(), conclude() and get_status() of a request that has been looked up.
  int wait(MPI_Request& handle, Request& request, MPI_Status* status);
  int conclude(MPI_Request& handle, Request& done, MPI_Status* status);
  int get_status(Request& done, MPI_Status* status);
  /// Throws CallError if nobody can end any of the active requests, of which none is done.
  void check_one_can_end(int count, const MPI_Request requests[]) const;
  int result_of(Request& done, MPI_Status* status);
  int result_of_guarded_send(Request& done);

  Rank& self_;
  Calls& calls_;
  MPI_Comm blamed_ = MPI_COMM_WORLD;
};

/// Notes the errors of several requests in their statuses, if there are any errors (MPI 3.1, section 3.7.5).
class Errors {
 public:
  explicit Errors(MPI_Status* statuses) : statuses_(statuses) {}
  /// Notes the next request's.
  void add(int error) {
    if (error != MPI_SUCCESS || result_ != MPI_SUCCESS) [[unlikely]]
      note(error);
    ++noted_;
  }
  int result() const { return result_; }

 private:
  void note(int error);

  MPI_Status* statuses_;
  int noted_ = 0, result_ = MPI_SUCCESS;
};

/// Runs the body of a function that completes requests: handled(), with the error handler of the request that
/// has failed.
template <Deltas deltas = Deltas::completed, class Body>
int completing(const char* call, const Place& place, Body body) {
  Rank& self = caller();
  const InTurn turn(self);
  Completion completion(self);
  const int error = guarded<deltas>(
      self, call, place, [&] { return body(completion); }, Asks::handler);
  return error == MPI_SUCCESS ? error : handle_error(self, completion.blamed(), error);
}
template <class Body>
int completing(const char* call, Body body) {
  return completing(call, Place{}, body);
}

}  // namespace kanor::rt::c_api
