// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that stand for a rank's objects.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace kanor::rt::c_api {

/// The kinds of handles: the highest byte of each, as in kanor/mpi/handles.h.
enum class HandleKind : int {
  communicator = 1,
  group,
  datatype,
  operation,
  request,
  error_handler,
  info,
  message,
  keyval
};

/// The objects of one kind that a rank has made and not freed, by their handles. Handles below first_made
/// are those of predefined objects. Belongs to the rank.
template <class Object>
class Handles {
 public:
  static constexpr int first_made = 1 << 23;

  explicit Handles(HandleKind kind) : first_(static_cast<int>(kind) << 24 | first_made) {}

  /// Returns the object's handle.
  int add(std::unique_ptr<Object> object) {
    if (free_.empty()) {
      free_.push_back(static_cast<int>(objects_.size()));
      objects_.emplace_back();
    }
    const int index = free_.back();
    free_.pop_back();
    objects_[static_cast<std::size_t>(index)] = std::move(object);
    return first_ + index;
  }
  /// The object with this handle; null if there is none.
  Object* find(int handle) const {
    const auto index =
        static_cast<std::size_t>(static_cast<unsigned>(handle) - static_cast<unsigned>(first_));
    return index < objects_.size() ? objects_[index].get() : nullptr;
  }
  /// The handle of an object, which there is or not: none then.
  int handle_of(const Object& object, int none) const {
    for (std::size_t index = 0; index < objects_.size(); ++index)
      if (objects_[index].get() == &object) return first_ + static_cast<int>(index);
    return none;
  }
  /// Calls `use` for each object.
  template <class Use>
  void for_each(Use use) const {
    for (const std::unique_ptr<Object>& object : objects_)
      if (object) use(*object);
  }
  /// Removes the object, which there is, and returns it.
  std::unique_ptr<Object> remove(int handle) {
    free_.push_back(handle - first_);
    return std::move(objects_[static_cast<std::size_t>(handle - first_)]);
  }

 private:
  int first_;
  std::vector<std::unique_ptr<Object>> objects_;  ///< null: the handle is free
  std::vector<int> free_;
};

}  // namespace kanor::rt::c_api
