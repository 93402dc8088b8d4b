// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which basic elements follow each other, wherever they lie.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace kanor::rt {

/// The basic elements of an element of some type, in the order in which they are packed: of each its kind, a
/// number that has a meaning to the caller, and its length. A value; takes memory for each change of kind,
/// and for what is repeated once.
class Signature {
 public:
  static Signature basic(unsigned char kind, std::size_t bytes, std::size_t count = 1);

  /// The same elements so many times.
  Signature repeated(std::size_t count) const;
  void append(const Signature& next);

  std::size_t bytes() const { return bytes_; }        ///< of all basic elements
  std::size_t elements() const { return elements_; }  ///< their number

  /// The number of basic elements in the first `bytes` bytes of what was packed, of any number of elements;
  /// nothing if that ends within one.
  std::optional<std::size_t> elements_in(std::size_t bytes) const;

  /// Calls `use(kind, bytes of one, count)` for each run of basic elements of one kind.
  template <class Use>
  void for_each(Use& use) const {
    for (const Item& item : items_)
      if (!item.inner)
        use(item.kind, item.bytes, item.count);
      else
        for (std::size_t i = 0; i < item.count; ++i) item.inner->for_each(use);
  }

 private:
  /// Basic elements of one kind, or `inner` several times.
  struct Item {
    unsigned char kind;
    std::size_t bytes, count;
    std::shared_ptr<const Signature> inner{};
  };
  std::vector<Item> items_;
  std::size_t bytes_ = 0, elements_ = 0;
};

}  // namespace kanor::rt
