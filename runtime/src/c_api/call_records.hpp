// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checked mode: do the members of a communicator make the same collective calls?
#pragma once

#include <kanor/mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "c_api/communicator.hpp"
#include "collectives/group.hpp"
#include "ownership/passing.hpp"

namespace kanor::rt::c_api {

/// Elements of which all members of a collective must name the same: with the same basic elements, however
/// their datatypes are made. Without a datatype nothing is said of them.
struct Total {
  std::size_t count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};
/// A negative count is the call's own error.
inline Total total_of(int count, MPI_Datatype type) {
  return {static_cast<std::size_t>(std::max(count, 0)), type};
}

/// What one member tells the next one of its call.
struct CallRecord {
  std::uint64_t head = 0;                 ///< of the call's messages
  std::uint64_t elements = 0, bytes = 0;  ///< number and length of the basic elements
  std::uint64_t sum = 0;                  ///< differs for other ones, or another order
  unsigned char kind = 0;                 ///< of all; 0 if there are several
  bool says_elements = false;
  bool has_packed = false;  ///< some may be anything: only the bytes are compared
};

/// A receive of the record of the member before, which is compared with this rank's own.
class AwaitedRecord final : public Receive {
 public:
  AwaitedRecord(const Wanted& wanted, const collectives::Group& group, const Communicator& comm,
                const char* name, const CallRecord& own);
  ~AwaitedRecord();

 private:
  void complete(Arrival&& arrival) override;
  std::string difference(const CallRecord& its) const;

  Rank& rank_;
  const char* name_;
  std::string other_;        ///< the member before
  std::uint64_t same_bits_;  ///< of the heads, that must be the same
  bool is_fatal_;            ///< an error ends the job
  CallRecord own_;
};

/// Tells the next member what this one calls, and compares it with the call of the member before as soon as
/// that is known: of members that differ, two neighbours do. Does not wait, as some collectives are complete
/// on a rank before others have begun them. A difference ends the job if the communicator's errors do, and is
/// printed if not: it may be found after the call.
void tell_call(const collectives::Group& group, const Communicator& comm, const char* name,
               const Total& total);

}  // namespace kanor::rt::c_api
