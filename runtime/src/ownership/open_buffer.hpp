// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checked mode: is a buffer written while a request has it?
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "layout/layout.hpp"

namespace kanor::rt {

/// Elements of a request that is not complete. What lies between them may be written.
class OpenBuffer {
 public:
  /// The elements have so many bytes, and this layout (null: they are one block).
  OpenBuffer(const void* data, std::size_t bytes, std::shared_ptr<const Layout> layout)
      : data_(static_cast<const std::byte*>(data)), bytes_(bytes), layout_(std::move(layout)) {
    renew();
  }

  std::size_t bytes() const { return bytes_; }
  /// Returns true if the elements have been written since this was made, or renewed.
  bool has_changed() const { return sum() != sum_; }
  /// Called when they have been written by whoever may.
  void renew() { sum_ = sum(); }

 private:
  std::uint64_t sum() const;

  const std::byte* data_;
  std::size_t bytes_;
  std::shared_ptr<const Layout> layout_;
  std::uint64_t sum_ = 0;
};

}  // namespace kanor::rt
