// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects that the program may free while others use them.
#pragma once

#include <utility>

#include "c_api/handles.hpp"

namespace kanor::rt::c_api {

/// The base of such objects: who needs them.
struct Used {
  int by_program = 1;  ///< the number of times that the program has been given the handle and not freed it
  int by_others = 0;   ///< the number of Uses
};

/// Removes an object that nobody needs.
template <class Object>
void remove_unused(Handles<Object>& all, int handle) {
  const Object& object = *all.find(handle);
  if (object.by_program == 0 && object.by_others == 0) all.remove(handle);
}

/// A use of such an object: the object and its handle stay as long as there is one.
template <class Object>
class Use {
 public:
  /// Of nothing: of an object that is predefined.
  explicit Use(int handle) : handle_(handle) {}
  Use(Handles<Object>& all, int handle) : all_(&all), handle_(handle) { ++all.find(handle)->by_others; }
  Use(const Use& other) : all_(other.all_), handle_(other.handle_) {
    if (all_) ++object()->by_others;
  }
  Use& operator=(Use other) noexcept {
    std::swap(all_, other.all_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Use() {
    if (!all_) return;
    --object()->by_others;
    remove_unused(*all_, handle_);
  }

  int handle() const { return handle_; }
  /// Null if it is predefined.
  Object* object() const { return all_ ? all_->find(handle_) : nullptr; }

 private:
  Handles<Object>* all_ = nullptr;
  int handle_;
};

}  // namespace kanor::rt::c_api
