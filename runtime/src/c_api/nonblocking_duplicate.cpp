// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_Comm_idup.
#include <cstring>
#include <memory>
#include <utility>

#include "c_api/new_communicator.hpp"
#include "c_api/started.hpp"

namespace kanor::rt::c_api {
namespace {

/// A communicator's duplicate, until its channel is known.
///
/// The first member gives it: members that proposed channels to each other would not know, before they have
/// all proposed one, which ones are free for what they begin meanwhile, and may begin that in different
/// orders.
class Duplicating final : public Started {
 public:
  Duplicating(const CollectiveCall& call, MPI_Comm made) : Started(call), made_(made) {
    if (rank() > 0) {
      receive(0, sizeof given_);
      return;
    }
    given_ = next_channel();
    send_all(1, size(), reinterpret_cast<const std::byte*>(&given_), sizeof given_);
  }

 private:
  /// A channel that no first member has given: the ranks take turns.
  std::uint32_t next_channel() {
    std::uint32_t& given = Calls::of(owner()).given_channels;
    const auto ranks = static_cast<std::uint64_t>(team_size(owner()));
    const std::uint64_t number = given * ranks + static_cast<std::uint64_t>(rank_number(owner()));
    if (number >= inner_channels - given_channels)
      throw CallError{MPI_ERR_INTERN, "the job has made too many communicators"};
    ++given;
    return given_channels + static_cast<std::uint32_t>(number);
  }

  void settle() override {
    if (!parts().empty()) std::memcpy(&given_, parts().front().data(), sizeof given_);
    communicator(owner(), made_).come_to(given_);
  }

  MPI_Comm made_;
  std::uint32_t given_ = 0;
};

MPI_Comm begin_duplicate(Rank& self, const CollectiveCall& call, MPI_Comm original, MPI_Request& request) {
  const MPI_Comm made = alike(self, call.comm, given_channels);
  // What the others need leaves before the program's functions are called, which may fail.
  auto started = std::make_unique<Duplicating>(call, made);
  copy_attributes(self, original, made);
  request = request_of(call, std::move(started));
  return made;
}

}  // namespace
}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_idup", comm, [&] {
    result_at(made) = MPI_COMM_NULL;
    request_at(request) = MPI_REQUEST_NULL;
    *made = begin_duplicate(self, call_in(self, "MPI_Comm_idup", Kind::duplicate_later, {}, comm), comm,
                            *request);
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Comm_idup)
