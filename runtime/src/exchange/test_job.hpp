// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: jobs whose ranks execute blocks, and the pieces of blocks as kanorc emits them.
#pragma once

#include "kanor/abi/block.hpp"
#include "kanor/kanor.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt {
/// The file of a test's blocks, at one address, by which statistics find it.
inline constexpr char test_file[] = "test.cpp";

/// As on_all_jobs, and where messages between ranks must be acknowledged.
inline void everywhere(const std::function<void()>& body) {
  on_all_jobs(body);
  for (const int ranks : {1, 2, 3, 5, 8}) {
    SCOPED_TRACE(testing::Message() << ranks << " ranks that acknowledge");
    TestJob job(ranks, false, 3'000);
    job.transport.shares_memory = false;
    job.run(body);
  }
}
}  // namespace kanor::rt

#define BLOCK abi::block block({test_file, __LINE__, "test"})
#define SITE \
  { __LINE__, "a statement", "i, j" }
/// As SITE, for a statement with a form.
#define FORM(form) \
  { __LINE__, "a statement", "i, j", 0, form }
#define AT(place) [&](auto kanor_at) { return kanor_at(place); }
#define SEND(value) [&](auto kanor_send) { return kanor_send(value); }
#define CARRY(...) [&](auto kanor_carry) { return kanor_carry(__VA_ARGS__); }
/// A function that is only asked for its result's type may end without one.
#define NEVER __builtin_unreachable()

namespace kanor::rt {
/// What AT's function gets: the place of one binding.
template <class Bind, class Sent, class... Names>
struct PlaceOf {
  template <class Place>
  void operator()(Place&& place) const {
    std::apply([&](const Names&... all) { bind.assign(std::forward<Place>(place), Sent(), all...); }, names);
  }
  template <class Range>
  abi::index_list place_indices(Range&& range) const {
    return bind.place_indices(std::forward<Range>(range));
  }
  const Bind& bind;
  std::tuple<const Names&...> names;
};
/// What SEND's function gets: the value of one binding.
template <class Bind>
struct ValueOf {
  template <class Value>
  auto operator()(Value&& value) const {
    return bind.send(std::forward<Value>(value));
  }
  template <class Range>
  abi::index_list value_indices(Range&& range) const {
    return bind.value_indices(std::forward<Range>(range));
  }
  const Bind& bind;
};

/// One binding, which kanorc emits without a function of its own.
template <class Bind, class Receiver, class Place, class Sender, class Value, class... Names>
void binding(Bind&& bind, const Receiver& receiver, const Place& place, const Sender& sender,
             const Value& value, const Names&... names) {
  if (!bind(receiver, sender, names...)) return;
  bind.note_names(names...);
  const auto sent = bind.sends() ? value(ValueOf{bind}) : bind.nothing();
  using Sent = std::remove_const_t<decltype(sent)>;
  if (bind.receives()) place(PlaceOf<std::remove_reference_t<Bind>, Sent, Names...>{bind, {names...}});
}

/// The binder of a reduction, to be called like that of an assignment.
template <class Bind, class Operation>
class Reducing {
 public:
  Reducing(Bind& bind, Operation operation) : bind_(bind), operation_(operation) {}

  template <class Set>
  auto only(int name, Set&& set) const {
    return bind_.only(name, std::forward<Set>(set));
  }
  template <class... Arguments>
  bool operator()(const Arguments&... arguments) const {
    return bind_(arguments...);
  }
  template <class... Names>
  void note_names(const Names&... names) const {
    bind_.note_names(names...);
  }
  bool sends() const { return bind_.sends(); }
  bool receives() const { return bind_.receives(); }
  template <class Value>
  auto send(Value&& value) const {
    return bind_.send(std::forward<Value>(value));
  }
  auto nothing() const { return bind_.nothing(); }
  template <class Range>
  abi::index_list value_indices(Range&& range) const {
    return bind_.value_indices(std::forward<Range>(range));
  }
  template <class Range>
  abi::index_list place_indices(Range&& range) const {
    return bind_.place_indices(std::forward<Range>(range));
  }
  template <class Place, class Sent, class... Names>
  void assign(Place&& place, Sent sent, const Names&... names) const {
    bind_.reduce(std::forward<Place>(place), sent, operation_, names...);
  }

 private:
  Bind& bind_;
  Operation operation_;
};
}  // namespace kanor::rt
