// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/completion.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "c_api/message_checks.hpp"

namespace kanor::rt::c_api {
namespace {

MPI_Status* at_index(MPI_Status* statuses, int index) { return statuses ? statuses + index : nullptr; }

}  // namespace

void Errors::note(int error) {
  if (result_ == MPI_SUCCESS) {
    result_ = statuses_ ? MPI_ERR_IN_STATUS : error;
    if (statuses_)
      std::for_each(statuses_, statuses_ + noted_, [](MPI_Status& one) { one.MPI_ERROR = MPI_SUCCESS; });
  }
  if (statuses_) statuses_[noted_].MPI_ERROR = error;
}

void Completion::fail_no_request() {
  throw CallError{MPI_ERR_REQUEST, "there is no such request, or it has been completed before"};
}

bool Completion::is_active(MPI_Request request) const {
  if (needs_no_waiting(request)) return request != MPI_REQUEST_NULL;
  return at(request).is_active;
}

bool Completion::any_is_active(int count, const MPI_Request requests[]) const {
  return std::any_of(requests, requests + count, [&](MPI_Request request) { return is_active(request); });
}

bool Completion::is_done(MPI_Request handle) {
  if (needs_no_waiting(handle)) return true;
  Request& request = at(handle);
  if (Receive* const receive = request.receive()) {
    if (!receive->done()) Matcher::of(self_).progress(receive->wanted().source, receive);
    return receive->done();
  }
  return (!request.pending || request.pending->is_done(self_)) && request.offers_are_over();
}

int Completion::result_of(Request& done, MPI_Status* status) {
  if (done.incoming && !done.is_cancelled) {
    const int error = settle(self_, *done.incoming, done.pointer, done.call, done.place);
    set_status(status, *done.comm, done.incoming->received(), error);
    return error;
  }
  const bool is_from_nobody = done.recipe && done.recipe->receives && !done.recipe->from;
  set_empty_status(status, is_from_nobody && done.is_active ? MPI_PROC_NULL : MPI_ANY_SOURCE);
  if (status && done.is_cancelled) status->kanor_cancelled = 1;
  if (!done.open.empty()) [[unlikely]]
    return result_of_guarded_send(done);
  if (!done.pending) return MPI_SUCCESS;
  MPI_Status unwanted{};
  return done.pending->get_status(status ? *status : unwanted);
}

int Completion::result_of_guarded_send(Request& done) {
  const auto check = [&] {
    check_send(done);
    return MPI_SUCCESS;
  };
  return answered(self_, done.call, done.place, check, Asks::handler);
}

int Completion::get_status(MPI_Request request, MPI_Status* status) {
  if (!needs_no_waiting(request)) return get_status(at(request), status);
  if (!status) return MPI_SUCCESS;
  set_empty_status(status, request == from_nobody ? MPI_PROC_NULL : MPI_ANY_SOURCE);
  // The status of what has not begun says that there was no error (MPI 3.1, section 3.7.3).
  if (request == MPI_REQUEST_NULL) status->MPI_ERROR = MPI_SUCCESS;
  return MPI_SUCCESS;
}

int Completion::get_status(Request& done, MPI_Status* status) {
  if (!done.is_active) {
    set_empty_status(status, MPI_ANY_SOURCE);
    if (status) status->MPI_ERROR = MPI_SUCCESS;
    return MPI_SUCCESS;
  }
  const int error = result_of(done, status);
  if (error != MPI_SUCCESS) blamed_ = calls_.handle_of(*done.comm);
  return error;
}

int Completion::conclude(MPI_Request& handle, MPI_Status* status) {
  if (!needs_no_waiting(handle)) return conclude(handle, at(handle), status);
  const int error = get_status(handle, status);
  handle = MPI_REQUEST_NULL;
  return error;
}

int Completion::conclude(MPI_Request& handle, Request& done, MPI_Status* status) {
  int error = get_status(done, status);
  if (done.pending)
    if (const int last = done.pending->release(); error == MPI_SUCCESS) error = last;
  if (!done.recipe) {
    calls_.free(std::exchange(handle, MPI_REQUEST_NULL));
    return error;
  }
  done.end();
  done.is_active = false;
  return error;
}

void Completion::await(Request& request) {
  Matcher& matcher = Matcher::of(self_);
  if (Receive* const receive = request.receive()) {
    if (!receive->done()) matcher.wait(*receive);
  } else if (request.pending) {
    while (!request.pending->is_done(self_)) {
      if (Receive* const next = request.pending->awaited()) {
        matcher.wait(*next);
      } else {
        if (std::string why = request.pending->why_not_ending(self_); !why.empty())
          throw CallError{MPI_ERR_REQUEST, std::move(why)};
        matcher.wait_for_any([&] { return request.pending->is_done(self_); });
      }
    }
  }
}

int Completion::wait(MPI_Request& handle, MPI_Status* status) {
  return needs_no_waiting(handle) ? conclude(handle, status) : wait(handle, at(handle), status);
}

int Completion::wait(MPI_Request& handle, Request& request, MPI_Status* status) {
  await(request);
  request.wait_for_offers(self_);
  for (const int receiver : request.crowded) wait_for_room(self_, receiver);
  return conclude(handle, request, status);
}

int Completion::wait_all(int count, MPI_Request requests[], MPI_Status statuses[]) {
  // Before sends that wait: the others' sends may wait for these receives.
  for (int i = 0; i < count; ++i)
    if (!needs_no_waiting(requests[i])) await(at(requests[i]));
  Errors errors(statuses);
  for (int i = 0; i < count; ++i) errors.add(wait(requests[i], at_index(statuses, i)));
  return errors.result();
}

int Completion::conclude_some(int count, MPI_Request requests[], int& done, int indices[],
                              MPI_Status statuses[]) {
  done = 0;
  Errors errors(statuses);
  for (int i = 0; i < count; ++i) {
    if (!is_active(requests[i]) || !is_done(requests[i])) continue;
    errors.add(conclude(requests[i], at_index(statuses, done)));
    indices[done++] = i;
  }
  return errors.result();
}

int Completion::wait_for_any(int count, const MPI_Request requests[]) {
  std::size_t offered = 0;
  const auto for_each_offer = [&](auto use) {
    for (int i = 0; i < count; ++i)
      if (!needs_no_waiting(requests[i]))
        for (Offer& offer : at(requests[i]).offers) use(offer);
  };
  for_each_offer([&](const Offer& offer) { offered += offer.bytes(); });
  int done = find_done(count, requests);
  for (Patience patience(self_, offered); offered > 0 && done == MPI_UNDEFINED && patience.lasts();)
    done = find_done(count, requests);
  if (done != MPI_UNDEFINED) return done;
  for_each_offer([](Offer& offer) { offer.stop_offering(); });
  check_one_can_end(count, requests);
  Matcher::of(self_).wait_for_any([&] {
    done = find_done(count, requests);
    return done != MPI_UNDEFINED;
  });
  return done;
}

void Completion::check_one_can_end(int count, const MPI_Request requests[]) const {
  std::string why;
  for (int i = 0; i < count; ++i) {
    if (!is_active(requests[i])) continue;
    Request& request = at(requests[i]);
    if (!request.pending || request.pending->awaited()) return;
    why = request.pending->why_not_ending(self_);
    if (why.empty()) return;
  }
  throw CallError{MPI_ERR_REQUEST, std::move(why)};
}

int Completion::find_done(int count, const MPI_Request requests[]) {
  // Each begins behind the one that was found last, so that none waits for ever.
  int& turn = calls_.turn;
  for (int i = 0; i < count; ++i) {
    const int one = (turn + i) % count;
    if (!is_active(requests[one]) || !is_done(requests[one])) continue;
    turn = one + 1;
    return one;
  }
  return MPI_UNDEFINED;
}

void Completion::rest(MPI_Request open) {
  Request& request = at(open);
  for (Offer& offer : request.offers) offer.rest();
  Receive* receive = request.receive();
  if (!receive && request.pending) receive = request.pending->awaited();
  if (receive)
    Matcher::of(self_).rest(*receive);
  else
    look_in_vain(self_, any_rank);
}

void Completion::rest_with_any(int count, const MPI_Request requests[]) {
  const MPI_Request* const end = requests + count;
  const MPI_Request* const open =
      std::find_if(requests, end, [&](MPI_Request request) { return is_active(request); });
  for (const MPI_Request* other = open + 1; other != end; ++other)
    if (is_active(*other))
      for (Offer& offer : at(*other).offers) offer.rest();
  rest(*open);
}

}  // namespace kanor::rt::c_api
