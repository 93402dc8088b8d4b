// Anonymous memory: private to this process, or shared with the processes that it forks later.
#pragma once

#include <cstddef>

namespace kanor::rt {

enum class Sharing { within_process, with_forked_processes };

/// A mapping without a file: nothing of it remains when its processes are gone. It is filled with zeros, and
/// takes real memory only where it is touched. Immovable; unmapped when destroyed.
class Mapping {
 public:
  /// Maps `bytes` bytes; if the system refuses, half of it, and so on down to `least_bytes`. Data() is null
  /// if even that is refused.
  Mapping(Sharing sharing, std::size_t bytes, std::size_t least_bytes);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  Sharing sharing() const { return sharing_; }

  /// Gives the memory behind whole pages back to the system; they read as zeros afterwards.
  void drop(std::byte* from, std::size_t bytes) const;

 private:
  Sharing sharing_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace kanor::rt
