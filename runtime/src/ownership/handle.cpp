// The variables' side of kanor/abi/globalised.hpp.
#include "ownership/region.hpp"

namespace kanor::abi {

namespace {

constexpr const char* made = "a variable that ranks may share was made";
constexpr const char* written = "a variable that ranks may share was written";

rt::SharingCounts& counts(rt::Rank& rank, const declaration& where) {
  return rt::SharingCounters::of(rank).at(where.file, where.line, where.name);
}

}  // namespace

void* region_handle::new_room(const region_kind& kind) const {
  rt::Region& region = rt::make_region(rt::here(made), kind);
  region.destroy = kind.destroy;
  return region.object();
}

void region_handle::give_back(void* room) noexcept { rt::free_room(rt::Region::of(room)); }

void region_handle::acquire_or_copy(const region_kind& kind) {
  rt::Rank& rank = rt::here(written);
  object_ = rt::acquire_or_copy(rank, rt::Region::of(object_), kind, counts(rank, where_)).object();
}

void* region_handle::rename(const region_kind& kind) {
  if (object_) {
    counts(rt::here(written), where_).renamed_bytes += kind.flat ? kind.bytes : kind.value_bytes(object_);
    let_go();
  }
  return new_room(kind);
}

void region_handle::let_go() noexcept {
  rt::let_go(rt::Region::of(object_));
  object_ = nullptr;
}

void region_handle::adopt(void* object) noexcept {
  if (object_) let_go();
  object_ = object;
}

}  // namespace kanor::abi
