// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/pieces.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace kanor::rt {

Pieces Pieces::block(std::size_t bytes) {
  Pieces made;
  if (bytes > 0) made.pieces_.push_back({0, bytes});
  made.bytes_ = made.extent_bytes_ = bytes;
  return made;
}

Pieces Pieces::of(std::vector<Piece> pieces, std::size_t extent_bytes) {
  Pieces made;
  for (const Piece& piece : pieces) made.bytes_ += piece.bytes;
  made.pieces_ = std::move(pieces);
  made.extent_bytes_ = extent_bytes;
  return made;
}

Pieces Pieces::repeated(std::size_t count, std::size_t stride_bytes) const {
  Pieces made;
  for (std::size_t i = 0; i < count; ++i)
    for (const Piece& piece : pieces_) {
      const std::size_t offset = i * stride_bytes + piece.offset;
      Piece* const last = made.pieces_.empty() ? nullptr : &made.pieces_.back();
      if (last && last->offset + last->bytes == offset)
        last->bytes += piece.bytes;
      else
        made.pieces_.push_back({offset, piece.bytes});
    }
  made.bytes_ = count * bytes_;
  made.extent_bytes_ = count == 0 ? 0 : (count - 1) * stride_bytes + extent_bytes_;
  return made;
}

std::size_t Pieces::reach_bytes(std::size_t count) const {
  if (count == 0 || pieces_.empty()) return 0;
  return (count - 1) * extent_bytes_ + pieces_.back().offset + pieces_.back().bytes;
}

std::uint64_t Pieces::signature(std::size_t count) const {
  // FNV-1a over the pieces as they lie one after the other, so that it does not matter how they were made.
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](std::uint64_t number) { hash = (hash ^ number) * 0x100000001b3u; };
  Piece run{};
  for (std::size_t i = 0; i < count; ++i)
    for (const Piece& piece : pieces_) {
      const std::size_t offset = i * extent_bytes_ + piece.offset;
      if (run.offset + run.bytes == offset) {
        run.bytes += piece.bytes;
        continue;
      }
      add(run.offset), add(run.bytes);
      run = {offset, piece.bytes};
    }
  add(run.offset), add(run.bytes);
  return hash;
}

void Pieces::pack(std::byte* to, const std::byte* elements, std::size_t count) const {
  for (std::size_t i = 0; i < count; ++i)
    for (const Piece& piece : pieces_) {
      std::memcpy(to, elements + i * extent_bytes_ + piece.offset, piece.bytes);
      to += piece.bytes;
    }
}

void Pieces::unpack(std::byte* elements, const std::byte* from, std::size_t bytes) const {
  for (; bytes > 0; elements += extent_bytes_)
    for (const Piece& piece : pieces_) {
      const std::size_t copied = std::min(piece.bytes, bytes);
      if (copied == 0) return;
      std::memcpy(elements + piece.offset, from, copied);
      from += copied;
      bytes -= copied;
    }
}

}  // namespace kanor::rt
