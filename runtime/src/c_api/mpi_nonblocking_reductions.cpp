// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/mpi.h: nonblocking reductions, and MPI_Reduce_scatter and MPI_Reduce_scatter_block.
#include <kanor/mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "c_api/calls.hpp"
#include "c_api/collective_call.hpp"
#include "c_api/operations.hpp"
#include "c_api/started.hpp"
#include "collectives/collectives.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

/// The call of a reduction: what is the same on all ranks.
struct ReductionCall {
  const char* name;
  Kind kind;
  std::optional<int> root;
  MPI_Datatype type;
  MPI_Op op;
  MPI_Comm comm;
};

/// A rank's contribution, and the place of its result, as a call has them.
struct Buffers {
  const void* own;
  void* result;
  MPI_Datatype type;

  bool in_place() const { return is_in_place(own); }
  /// The contribution of `count` elements. A rank that gets no result has it nowhere else.
  Outgoing out(int count, bool gets_result) const {
    if (in_place() && !gets_result)
      throw CallError{MPI_ERR_BUFFER, "MPI_IN_PLACE is only for ranks that get a result"};
    return {in_place() ? result : own, count, type};
  }
};

/// A started reduction: one term of each member that the result depends on.
class Reducing final : public Started {
 public:
  Reducing(const CollectiveCall& call, MPI_Op op, MPI_Datatype type) : Started(call), operation_(op, type) {}

  /// Receives the terms of the members from `first` on before `end`, to be folded into `count` elements of
  /// the result. `own_term` is what `own` has of this rank's, if it is one of them: it is only read.
  void fold_later(int first, int end, Outgoing own, const std::byte* own_term, const Buffers& buffers,
                  int count) {
    const bool has_own = first <= rank() && rank() < end;
    own_.emplace(std::move(own));
    own_term_ = own_term;
    into_.emplace(buffers.result, count, buffers.type);
    if (!buffers.in_place())
      check_apart(buffers.own, buffers.result, own_->bytes());
    else if (has_own)
      copy_own();
    receive_terms(first, end, into_->bytes());
  }
  /// The same for an intercommunicator, whose other group's ranks send `sent_bytes`: the elements from
  /// `offset` on are folded.
  void fold_others(const Buffers& buffers, int count, std::size_t sent_bytes, std::size_t offset = 0) {
    offset_ = offset;
    into_.emplace(buffers.result, count, buffers.type);
    receive_terms(parties().first(), parties().end(), sent_bytes);
  }

 private:
  void receive_terms(int first, int end, std::size_t bytes) {
    first_ = first;
    end_ = end;
    for (int from = first; from < end; ++from)
      if (from != rank()) receive(from, bytes);
  }
  /// The result will lie where the term is.
  void copy_own() {
    const std::size_t bytes = into_->bytes();
    if (bytes == 0) return;
    if (!shared()) {
      copy_ = allocate_message(owner(), bytes);
      std::memcpy(copy_.data(), own_term_, bytes);
    }
    own_term_ = shared() ? shared() : copy_.data();
  }

  void settle() override {
    if (into_ && into_->bytes() > 0 && first_ < end_) fold();
  }
  void fold() {
    std::vector<const std::byte*> terms;
    auto part = parts().begin();
    for (int from = first_; from < end_; ++from)
      terms.push_back(from == rank() ? own_term_ : part++->data() + offset_);
    collectives::fold_values(owner(), terms, into_->bytes(), into_->data(), operation_.by_elements());
    into_->settle();
  }

  Operation operation_;
  int first_ = 0, end_ = 0;
  std::size_t offset_ = 0;  ///< of the result's elements in each term
  std::optional<Outgoing> own_;
  const std::byte* own_term_ = nullptr;
  Buffer copy_;  ///< of the own term
  std::optional<Arriving> into_;
};

/// The body of the reductions whose result is as long as each contribution, and depends on the members below
/// `end`. The contribution goes to the members from `first` on.
void begin_reduction(Reducing& started, const Buffers& buffers, int count, int first, int end) {
  Outgoing own = buffers.out(count, true);
  started.send_all(first, started.size(), own.data(), own.bytes());
  const std::byte* const term = own.data();
  started.fold_later(0, end, std::move(own), term, buffers, count);
}

/// The body of those whose result all get.
void begin_all_reduce(Reducing& started, const Buffers& buffers, int count) {
  started.tell(total_of(count, buffers.type));
  const Parties& parties = started.parties();
  if (parties.has_own()) return begin_reduction(started, buffers, count, 0, started.size());
  const Outgoing own(buffers.own, count, buffers.type);
  started.send_all(parties.first(), parties.end(), own.data(), own.bytes());
  started.fold_others(buffers, count, own.bytes());
}

/// Begins a reduction by `begin(started)`, which sends and posts.
template <class Begin>
std::unique_ptr<Reducing> begun(CollectiveCall& call, const ReductionCall& what, Begin begin) {
  call.reduces(what.op, what.type);
  auto started = std::make_unique<Reducing>(call, what.op, what.type);
  begin(*started);
  return started;
}

/// The body of a nonblocking call.
template <class Begin>
int start(const ReductionCall& what, MPI_Request* request, Begin begin) {
  Rank& self = caller();
  return handled(self, what.name, what.comm, [&] {
    request_at(request) = MPI_REQUEST_NULL;
    CollectiveCall call = call_in(self, what.name, what.kind, what.root, what.comm);
    call.starts();
    *request = request_of(call, begun(call, what, begin));
    return MPI_SUCCESS;
  });
}

/// The body of a blocking call.
template <class Begin>
int reduce_now(const ReductionCall& what, Begin begin) {
  Rank& self = caller();
  return handled(self, what.name, what.comm, [&] {
    CollectiveCall call = call_in(self, what.name, what.kind, what.root, what.comm);
    wait_for(*begun(call, what, begin));
    return MPI_SUCCESS;
  });
}

/// The numbers of elements of each member's result: from an array, or the same for all.
struct ResultCounts {
  const int* counts;
  int each = 0;

  int of(int member) const { return counts ? counts[member] : each; }
};

/// The bytes before each rank's elements, and before what would follow the last one's.
std::vector<std::size_t> offsets_of(const ResultCounts& counts, int ranks, MPI_Datatype type, int& all) {
  std::vector<std::size_t> offsets{0};
  all = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    offsets.push_back(offsets.back() + bytes_of(counts.of(rank), type));
    if (__builtin_add_overflow(all, counts.of(rank), &all))
      throw CallError{MPI_ERR_COUNT, "the sum of the counts is larger than an int"};
  }
  return offsets;
}

/// The ranks of a group fold the other group's contributions, of which each keeps its part. What the other
/// group's ranks keep is not known: they get all.
void begin_reduce_scatter_between(Reducing& started, const Buffers& buffers, const ResultCounts& counts) {
  started.tell();
  int all = 0;
  const int rank = started.comm().rank();
  const std::vector<std::size_t> offsets = offsets_of(counts, started.comm().size(), buffers.type, all);
  const Outgoing own(buffers.own, all, buffers.type);
  started.send_all(started.parties().first(), started.parties().end(), own.data(), own.bytes());
  started.fold_others(buffers, counts.of(rank), own.bytes(), offsets[static_cast<std::size_t>(rank)]);
}

/// Each member gets its elements of all members, folds them, and keeps the result.
void begin_reduce_scatter(Reducing& started, const Buffers& buffers, const ResultCounts& counts) {
  if (!started.parties().has_own()) return begin_reduce_scatter_between(started, buffers, counts);
  int all = 0;
  const std::vector<std::size_t> offsets = offsets_of(counts, started.size(), buffers.type, all);
  started.tell(total_of(all, buffers.type));
  Outgoing own = buffers.out(all, true);
  const auto part = [&](int member) { return own.data() + offsets[static_cast<std::size_t>(member)]; };
  started.parties().each_other([&](int to) {
    started.send(to, part(to),
                 offsets[static_cast<std::size_t>(to) + 1] - offsets[static_cast<std::size_t>(to)]);
  });
  const std::byte* const term = part(started.rank());
  started.fold_later(0, started.size(), std::move(own), term, buffers, counts.of(started.rank()));
}

auto reduce_scatter(const Buffers& buffers, const int* counts) {
  return [=](Reducing& started) {
    if (!counts) throw CallError{MPI_ERR_ARG, "the array of counts is NULL"};
    begin_reduce_scatter(started, buffers, {counts});
  };
}

auto reduce_scatter_block(const Buffers& buffers, int count) {
  return [=](Reducing& started) { begin_reduce_scatter(started, buffers, {nullptr, count}); };
}

}  // namespace

int MPI_Ireduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
  return start({"MPI_Ireduce", Kind::reduce, root, type, op, comm}, request, [&](Reducing& started) {
    const Buffers buffers{own, result, type};
    const auto [role, there] = started.rooted(root);
    started.tell(total_of(count, type));
    if (role == Role::other_group) started.send(there, buffers.out(count, false));
    if (role != Role::root) return;
    if (!started.parties().has_own()) return started.fold_others(buffers, count, bytes_of(count, type));
    // The root sends to nobody.
    begin_reduction(started, buffers, count, started.size(), started.size());
  });
}

int MPI_Iallreduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  return start({"MPI_Iallreduce", Kind::all_reduce, {}, type, op, comm}, request, [&](Reducing& started) {
    begin_all_reduce(started, {own, result, type}, count);
  });
}

int MPI_Iscan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              MPI_Request* request) {
  return start({"MPI_Iscan", Kind::scan, {}, type, op, comm}, request, [&](Reducing& started) {
    started.tell(total_of(count, type));
    begin_reduction(started, {own, result, type}, count, started.rank() + 1, started.rank() + 1);
  });
}

int MPI_Iexscan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
  return start({"MPI_Iexscan", Kind::exclusive_scan, {}, type, op, comm}, request, [&](Reducing& started) {
    started.tell(total_of(count, type));
    const Buffers buffers{own, result, type};
    if (started.rank() > 0)
      return begin_reduction(started, buffers, count, started.rank() + 1, started.rank());
    // Rank 0 gets no result, but may have its contribution there.
    const Outgoing mine = buffers.out(count, true);
    started.send_all(1, started.size(), mine.data(), mine.bytes());
  });
}

int MPI_Ireduce_scatter(const void* own, void* result, const int counts[], MPI_Datatype type, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request) {
  return start({"MPI_Ireduce_scatter", Kind::reduce_scatter, {}, type, op, comm}, request,
               reduce_scatter({own, result, type}, counts));
}

int MPI_Ireduce_scatter_block(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request) {
  return start({"MPI_Ireduce_scatter_block", Kind::reduce_scatter_block, {}, type, op, comm}, request,
               reduce_scatter_block({own, result, type}, count));
}

int MPI_Reduce_scatter(const void* own, void* result, const int counts[], MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
  return reduce_now({"MPI_Reduce_scatter", Kind::reduce_scatter, {}, type, op, comm},
                    reduce_scatter({own, result, type}, counts));
}

int MPI_Reduce_scatter_block(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
  return reduce_now({"MPI_Reduce_scatter_block", Kind::reduce_scatter_block, {}, type, op, comm},
                    reduce_scatter_block({own, result, type}, count));
}

KANOR_PROFILED(Ireduce)
KANOR_PROFILED(Iallreduce)
KANOR_PROFILED(Iscan)
KANOR_PROFILED(Iexscan)
KANOR_PROFILED(Ireduce_scatter)
KANOR_PROFILED(Ireduce_scatter_block)
KANOR_PROFILED(Reduce_scatter)
KANOR_PROFILED(Reduce_scatter_block)
