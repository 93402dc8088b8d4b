// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the C functions have in common: handles, requests, and errors as status codes.
#pragma once

#include <kanor/mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "c_api/call_records.hpp"
#include "c_api/communicator.hpp"
#include "c_api/environment.hpp"
#include "c_api/handles.hpp"
#include "c_api/operations.hpp"
#include "c_api/request.hpp"
#include "c_api/types.hpp"
#include "ownership/lending.hpp"
#include "ownership/pace.hpp"
#include "ownership/passing.hpp"

/// Gives the MPI function of that name, which this file defines, its second name: a program may define
/// MPI_Send itself and call PMPI_Send from there (MPI 3.1, section 14.2).
#define KANOR_PROFILED(name)                                               \
  extern "C" decltype(MPI_##name) PMPI_##name __asm__("kanor_PMPI_" #name) \
      __attribute__((alias("kanor_MPI_" #name)));

namespace kanor::rt::c_api {

/// A message that MPI_Mprobe has found.
struct HeldMessage {
  Buffer memory;
  Communicator* comm = nullptr;  ///< which it keeps
};

/// What earlier executions of a loop tell about the next one, beside which kanorc has put a message.
struct LoopRecord {
  std::int64_t ns = 0;  ///< that it took last; 0: it has not been executed
  StripLength strip{};
  unsigned executions = 0;  ///< of the call
  unsigned in_vain = 0;     ///< the last ones in a row in which nothing travelled while the loop ran
};

/// What MPI's messages have beside requests.
struct Messages {
  Handles<HeldMessage> held{HandleKind::message};
  void* buffer = nullptr;  ///< of MPI_Buffer_attach
  std::size_t buffer_bytes = 0;
  std::uint32_t synchronous = 0;      ///< number of synchronous sends
  int next_tag = 0;                   ///< of new_tags()
  std::vector<Pending*> deltas;       ///< delta sends that have not ended
  bool flushes_deltas = false;        ///< whenever the rank waits
  std::int64_t cost_of_delta_ns = 0;  ///< what it takes to send an increment; 0: that is not known yet
  std::map<std::pair<const char*, int>, LoopRecord> loops;  ///< by the places of the calls beside them
  std::vector<MPI_Request> freed;                           ///< of MPI_Request_free, which are not done
};

/// A rank's state that outlives a call: its objects, and the latest error.
class Calls final : public Attachment {
 public:
  explicit Calls(Rank& rank);
  static Calls& of(Rank& rank) {
    std::unique_ptr<Attachment>& attached = attachment(rank, Attached::calls);
    if (!attached) [[unlikely]]
      attach(rank);
    return static_cast<Calls&>(*attached);
  }

  /// A request that is not in use, and its handle.
  std::pair<Request&, MPI_Request> new_request(Communicator& comm);
  /// Ends a request's use; its handle is gone.
  void free(MPI_Request handle);
  /// Does that with the requests of MPI_Request_free that are done.
  void free_those_done();
  /// The communicator's handle; MPI_COMM_WORLD's if it has been freed.
  MPI_Comm handle_of(const Communicator& comm) const;
  /// Ends one use of a communicator. The last one deletes it.
  void release(Communicator& comm);
  /// The handle's communicator, which it has made, is gone once nothing uses it.
  void free_communicator(MPI_Comm handle);

  Environment environment;  ///< outlives what follows, which uses its objects
  Communicator world, self;
  Handles<Communicator> communicators{HandleKind::communicator};
  Handles<Group> groups{HandleKind::group};
  Handles<Datatype> types{HandleKind::datatype};
  std::unordered_map<MPI_Datatype, std::string> names_of_predefined_types;  ///< that the rank has set
  std::map<std::array<int, 3>, MPI_Datatype> f90_types;  ///< by their combiners and parameters
  Handles<ProgramOperation> operations{HandleKind::operation};
  Handles<Request> requests{HandleKind::request};
  Messages messages;

  std::deque<AwaitedRecord> awaited_records;  ///< in checked mode

  std::uint32_t given_channels = 0;  ///< number of those that it has given to new communicators
  int error = MPI_SUCCESS;
  std::string text;
  int turn = 0;                   ///< index at which MPI_Waitany begins
  std::uint32_t collectives = 0;  ///< number of OPI's in which the rank has taken part

 private:
  static void attach(Rank& rank);

  std::vector<std::unique_ptr<Request>> spare_;
  std::vector<std::unique_ptr<Communicator>> freed_;  ///< communicators that operations still use
};

/// The communicator with this handle; CallError where there is none. The first is for those that the program
/// has made.
Communicator& made_communicator(Calls& calls, MPI_Comm comm);
inline Communicator& communicator(Rank& rank, MPI_Comm comm) {
  Calls& calls = Calls::of(rank);
  if (!calls.environment.is_closed) {
    if (comm == MPI_COMM_WORLD) return calls.world;
    if (comm == MPI_COMM_SELF) return calls.self;
  }
  return made_communicator(calls, comm);
}

/// The calling thread's rank; outside of ranks it ends the job.
inline Rank& caller() { return here("an MPI or OPI function was called"); }

/// Prints an error of this rank.
void print_error(Rank& rank, const std::string& text);
/// Whether an error goes to an error handler. If not, it is only a call's result, and checked mode prints it.
enum class Asks : unsigned char { nobody, handler };

/// Notes an error; returns its class.
int fail_call(Rank& rank, const CallError& error, Asks asks);

/// The first of so many tags of inner channels, which nothing else that this rank sends there has now.
int new_tags(Rank& rank, int count);

/// Throw CallError: a message can't have the tag, or the communicator has no such rank.
[[noreturn, gnu::cold]] void fail_tag(int tag);
[[noreturn, gnu::cold]] void fail_rank(const Communicator& comm, int rank);

/// Null if the other side is MPI_PROC_NULL. This and what follows throw CallError where an argument is wrong.
inline std::optional<Destination> destination(const Communicator& comm, int to, int tag) {
  if (tag < 0) [[unlikely]]
    fail_tag(tag);
  if (to == MPI_PROC_NULL) return std::nullopt;
  const Communicator& peers = comm.peers();
  if (to < 0 || to >= peers.size()) [[unlikely]]
    fail_rank(peers, to);
  return Destination{comm.channel(), peers.world(to), tag};
}
inline std::optional<Wanted> wanted(const Communicator& comm, int from, int tag) {
  if (tag < 0 && tag != MPI_ANY_TAG) [[unlikely]]
    fail_tag(tag);
  if (from == MPI_PROC_NULL) return std::nullopt;
  const int one_tag = tag == MPI_ANY_TAG ? any_tag : tag;
  const Communicator& peers = comm.peers();
  // The only member is known.
  if (from == MPI_ANY_SOURCE && peers.size() > 1) return Wanted{comm.channel(), any_source, one_tag};
  if (from == MPI_ANY_SOURCE) from = 0;
  if (from < 0 || from >= peers.size()) [[unlikely]]
    fail_rank(peers, from);
  return Wanted{comm.channel(), peers.world(from), one_tag};
}
void check_root(const Communicator& comm, int root);

/// The pointer, and the request, whose address a call has been given.
void*& pointer_at(void* address);
MPI_Request& request_at(MPI_Request* request);
/// Checks the requests of an array.
void check_requests(int count, const MPI_Request requests[]);
/// The buffer of that pointer, of at least so many bytes. Throws PassingError too.
Region& owned_by(Rank& rank, const void* elements, std::size_t bytes, const char* call, const Place& place);

/// Requests that are complete from the beginning: of something sent or given, and of a receive from
/// MPI_PROC_NULL.
inline constexpr MPI_Request completed = KANOR_MPI_HANDLE(5, 2), from_nobody = KANOR_MPI_HANDLE(5, 3);
/// Returns true if there is nothing to wait for: for these and MPI_REQUEST_NULL.
inline bool needs_no_waiting(MPI_Request request) {
  return request == MPI_REQUEST_NULL || request == completed || request == from_nobody;
}

/// MPI_ERROR remains as it is without an error (MPI 3.1, section 3.2.5).
void set_status(MPI_Status* status, const Communicator& comm, const Received& received, int error);
/// Sets the status of an operation without a message: a receive from MPI_PROC_NULL, or a send.
void set_empty_status(MPI_Status* status, int source);

/// Makes a persistent request, which MPI_Start can begin.
MPI_Request prepared(Rank& rank, Communicator& comm, Recipe recipe);
/// Posts a receive that the rank does not wait for at once.
void begin(Rank& rank, Receive& receive);
/// Posts a take of at most so many bytes, which OPI_Error_text() speaks of as `call`.
MPI_Request begin_take(Rank& rank, Communicator& comm, const std::optional<Wanted>& what,
                       std::size_t most_bytes, const Described& elements, void** pointer, const char* call,
                       const Place& place);
/// Posts a receive.
MPI_Request begin_receive(Rank& rank, Communicator& comm, const std::optional<Wanted>& what,
                          const Content& into, const char* call);

/// Puts the buffer of a take that is done where its caller wants it, and returns the error class.
int settle(Rank& rank, const Incoming& incoming, void** pointer, const char* call, const Place& place,
           Asks asks = Asks::handler);

/// A PassingError as MPI sees it.
CallError as_call_error(const PassingError& error);

/// Runs the body of a C function, and turns CallError, whose text is put behind the call and its place, and
/// PassingError into its result.
template <class Body>
int answered(Rank& rank, const char* call, const Place& place, Body body, Asks asks = Asks::nobody) {
  try {
    return body();
  } catch (const CallError& error) {
    return fail_call(rank,
                     {error.error, text_of(call, place) + " on rank " + std::to_string(rank_number(rank)) +
                                       ": " + error.text},
                     asks);
  } catch (const PassingError& error) {
    return fail_call(rank, as_call_error(error), asks);
  }
}

/// Whether deltas that follow page faults are completed before a call, which may use any memory then, or may
/// go on while it runs.
enum class Deltas : unsigned char { completed, go_on };

/// The same for a call that may wait.
template <Deltas deltas = Deltas::completed, class Body>
int guarded(Rank& rank, const char* call, const Place& place, Body body, Asks asks = Asks::nobody) {
  if constexpr (deltas == Deltas::completed) before_call(rank);
  const InCall in_call(rank, call, place);
  return answered(rank, call, place, body, asks);
}

/// Asks the error handler of the communicator, or of MPI_COMM_WORLD where there is no such communicator.
int handle_error(Rank& rank, MPI_Comm comm, int error);

/// While it lives a communicator outlives its handle, which another thread of the rank may free.
class Kept {
 public:
  Kept(Rank& rank, MPI_Comm comm, const InTurn& turn) {
    if (!turn.is_shared()) return;
    calls_ = &Calls::of(rank);
    comm_ = calls_->communicators.find(comm);
    if (comm_) ++comm_->uses;
  }
  ~Kept() {
    if (comm_) calls_->release(*comm_);
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

 private:
  Calls* calls_ = nullptr;
  Communicator* comm_ = nullptr;
};

/// The same for functions that ask a communicator's error handler, as MPI's do.
template <Deltas deltas = Deltas::completed, class Body>
int handled(Rank& rank, const char* call, const Place& place, MPI_Comm comm, Body body) {
  const InTurn turn(rank);
  const Kept kept(rank, comm, turn);
  const int error = guarded<deltas>(rank, call, place, body, Asks::handler);
  return error == MPI_SUCCESS ? error : handle_error(rank, comm, error);
}
template <class Body>
int handled(Rank& rank, const char* call, MPI_Comm comm, Body body) {
  return handled(rank, call, {}, comm, body);
}
template <class Body>
int handled(Rank& rank, const char* call, Body body) {
  return handled(rank, call, MPI_COMM_WORLD, body);
}

}  // namespace kanor::rt::c_api
