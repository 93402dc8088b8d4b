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
class Duplicating final : public Started {
 public:
  Duplicating(const CollectiveCall& call, MPI_Comm made) : Started(call), made_(made) {
    if (rank() > 0) {
      receive(0, sizeof given_);
      return;
    }
    given_ = give_channel(owner());
    send_all(1, size(), reinterpret_cast<const std::byte*>(&given_), sizeof given_);
  }

 private:
  void settle() override {
    if (!parts().empty()) std::memcpy(&given_, parts().front().data(), sizeof given_);
    communicator(owner(), made_).come_to(given_);
  }

  MPI_Comm made_;
  std::uint32_t given_ = 0;
};

MPI_Comm begin_duplicate(Rank& self, const CollectiveCall& call, MPI_Comm original, MPI_Request& request) {
  call.tell();
  const MPI_Comm made = alike(self, call.comm, unknown_channel);
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
