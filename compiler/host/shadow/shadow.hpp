// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "host/discover/discover.hpp"
#include "syntax/ast.hpp"

/// The text that Clang parses in place of a user's file: every block is replaced by plain C++ that holds each
/// of the user's expressions once and whole, so that types, templates and errors come out as in ordinary C++.
namespace kanor::host {

/// The kind of an expression. A callable that may name an overload set or a type is `open_callable`: it is
/// called in the shadow, not used on its own. `pending` is the name that `async` declares.
enum class PieceKind {
  place,
  value,
  receiver,
  sender,
  callable,
  open_callable,
  set,
  let,
  filter,
  team,
  pending,
  place_part,  ///< a section's first element, count or stride, or its range of indices
  value_part
};

/// Names one expression of a block; `statement` is -1 for the block's own. A place or value that is a section
/// has a piece for its base, and one for each part of each dimension (syntax::parts).
struct Piece {
  PieceKind kind = PieceKind::place;
  int block = 0;
  int statement = 0;
  int index = -1;  ///< number of the clause, or of the part of a section, three for each dimension
};

/// The offset in the shadow text of the token that opens the C++ construct around a piece.
struct Anchor {
  std::uint32_t offset = 0;
  Piece piece;
};

/// A run of bytes that is also in the original.
struct Segment {
  std::uint32_t shadow = 0;
  std::uint32_t original = 0;
  std::uint32_t length = 0;
};

/// A `kanor::name` between attribute brackets.
struct Attribute {
  Span name;   ///< `kanor::shared`
  Span blank;  ///< the text blanked out for the host compiler: including the brackets if the attribute is
               ///< alone in them
};

struct Shadow {
  const text::Source* source = nullptr;
  const syntax::Ast* ast = nullptr;   ///< null for a file that has attributes only
  std::string text;                   ///< as many lines as the original
  std::vector<Segment> segments;      ///< in the order of the shadow text
  std::vector<Anchor> anchors;        ///< in the order of their offsets
  std::vector<Span> blocks;           ///< of each block, in the shadow text
  std::vector<Attribute> attributes;  ///< in the original text

  /// The offset in the original of a byte of the shadow; nothing for a byte that is only in the shadow.
  std::optional<std::uint32_t> original(std::uint32_t shadow_offset) const;
  /// The block whose shadow holds the byte, or -1.
  int block_at(std::uint32_t shadow_offset) const;
  /// The anchor at exactly this offset, or null.
  const Anchor* anchor_at(std::uint32_t shadow_offset) const;
  /// The piece's statement. The block's own pieces have none.
  const syntax::Statement& statement_of(Piece piece) const;
  /// The piece's text in the original.
  Span span_of(Piece piece) const;
};

/// Makes a shadow for every file that has blocks and for every user file that has attributes of Kanor's. The
/// shadows refer to the discovery's sources and to the asts. Blocks may lack statements, but must have
/// parsed.
std::vector<Shadow> make_shadows(const Discovery& discovery, const std::vector<syntax::Ast>& asts);

/// The golden format of `kanorc --dump=shadow`: the text.
void print(const Shadow& shadow, std::ostream& out);

/// Throws std::logic_error if a segment's bytes differ, the number of lines differs, or an order is broken.
void verify(const Shadow& shadow);

}  // namespace kanor::host
