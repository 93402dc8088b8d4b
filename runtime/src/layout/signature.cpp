// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/signature.hpp"

namespace kanor::rt {
namespace {

/// The most items that are put into another signature's list.
constexpr std::size_t most_inlined_items = 4;

}  // namespace

Signature Signature::basic(unsigned char kind, std::size_t bytes, std::size_t count) {
  Signature made;
  made.items_.push_back({kind, bytes, count});
  made.bytes_ = bytes * count;
  made.elements_ = count;
  return made;
}

Signature Signature::repeated(std::size_t count) const {
  if (count == 1) return *this;
  Signature made;
  if (count == 0 || elements_ == 0) return made;
  if (items_.size() == 1) {
    made.items_ = items_;
    made.items_.front().count *= count;
  } else {
    made.items_.push_back({0, bytes_, count, std::make_shared<const Signature>(*this)});
  }
  made.bytes_ = bytes_ * count;
  made.elements_ = elements_ * count;
  return made;
}

void Signature::append(const Signature& next) {
  if (next.elements_ == 0) return;
  if (next.items_.size() > most_inlined_items) {
    items_.push_back({0, next.bytes_, 1, std::make_shared<const Signature>(next)});
  } else {
    for (const Item& item : next.items_)
      if (!items_.empty() && !items_.back().inner && !item.inner && items_.back().kind == item.kind)
        items_.back().count += item.count;
      else
        items_.push_back(item);
  }
  bytes_ += next.bytes_;
  elements_ += next.elements_;
}

std::optional<std::size_t> Signature::elements_in(std::size_t bytes) const {
  if (bytes_ == 0) return bytes == 0 ? std::optional<std::size_t>(0) : std::nullopt;
  std::size_t found = bytes / bytes_ * elements_, rest = bytes % bytes_;
  for (std::size_t i = 0; rest > 0; ++i) {
    const Item& item = items_[i];
    const std::size_t all = item.bytes * item.count;
    if (rest >= all) {
      found += item.inner ? item.inner->elements_ * item.count : item.count;
      rest -= all;
      continue;
    }
    if (item.inner) {
      const std::optional<std::size_t> inner = item.inner->elements_in(rest);
      return inner ? std::optional(found + *inner) : std::nullopt;
    }
    if (rest % item.bytes != 0) return std::nullopt;
    return found + rest / item.bytes;
  }
  return found;
}

}  // namespace kanor::rt
