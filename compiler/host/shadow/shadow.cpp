// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/shadow/shadow.hpp"

#include <algorithm>
#include <cctype>
#include <ostream>
#include <stdexcept>
#include <string_view>

#include "host/shadow/attributes.hpp"

namespace kanor::host {
namespace {

using syntax::Block;
using syntax::Clause;
using syntax::Expr;
using syntax::Statement;

/// Composes a shadow's text from copied and generated parts.
class Writer {
 public:
  explicit Writer(Shadow& shadow) : shadow_(shadow) {}

  std::uint32_t here() const { return static_cast<std::uint32_t>(shadow_.text.size()); }
  void write(std::string_view text) { shadow_.text += text; }
  void anchor(Piece piece) { shadow_.anchors.push_back({here(), piece}); }

  /// Copies text, with Kanor's attributes replaced by ones that Clang keeps in its tree.
  void copy(Span span) {
    for (const Attribute& attribute : shadow_.attributes) {
      if (attribute.name.begin < span.begin || attribute.name.end > span.end) continue;
      copy_bytes({span.begin, attribute.name.begin});
      write("clang::annotate(\"kanor::");
      const auto name = shadow_.source->text(attribute.name);
      write(name.substr(name.find_last_of(": \t") + 1));
      write("\")");
      span.begin = attribute.name.end;
    }
    copy_bytes(span);
  }

 private:
  void copy_bytes(Span span) {
    if (span.empty()) return;
    shadow_.segments.push_back({here(), span.begin, span.end - span.begin});
    write(shadow_.source->text(span));
  }

  Shadow& shadow_;
};

class BlockWriter {
 public:
  BlockWriter(Writer& writer, const text::Source& source, int block)
      : writer_(writer), source_(source), block_(block) {}

  void statement(const Statement& statement, int index) {
    statement_ = index;
    int open = 0;
    for (std::size_t at = 0; at < statement.clauses.size(); ++at)
      open += clause(statement.clauses[at], static_cast<int>(at));
    writer_.write("{ ");
    expression({PieceKind::receiver, block_, index, -1}, statement.receiver.span);
    expression({PieceKind::sender, block_, index, -1}, statement.sender.span);
    operand(PieceKind::place, statement.place);
    operand(PieceKind::value, statement.value);
    if (statement.op == syntax::Operator::callable) callable(statement.callable);
    writer_.write("}");
    for (; open > 0; --open) writer_.write(" }");
  }

  void team(const Expr& team) { expression({PieceKind::team, block_, -1, -1}, team.span); }

 private:
  /// Writes an expression that is only checked for errors.
  void plain(const Expr& expression) {
    writer_.write("(void)(");
    writer_.copy(expression.span);
    writer_.write("); ");
  }

  void expression(Piece piece, Span span) {
    writer_.anchor(piece);
    plain({span});
  }

  void operand(PieceKind kind, const syntax::Operand& operand) {
    expression({kind, block_, statement_, -1}, operand.base);
    const PieceKind part_kind = kind == PieceKind::place ? PieceKind::place_part : PieceKind::value_part;
    int index = 0;
    for (const auto& dimension : operand.dimensions)
      for (const auto* part : syntax::parts(dimension)) {
        if (*part && dimension.indices)
          indices({part_kind, block_, statement_, index}, (*part)->span);
        else if (*part)
          expression({part_kind, block_, statement_, index}, (*part)->span);
        ++index;
      }
  }

  /// Writes a range of indices as that of a generator, so that its elements' type can be seen. A comma in it
  /// is the operator; but braces in parentheses would be a block of statements.
  void indices(Piece piece, Span span) {
    const bool is_braced = source_.text(span).starts_with('{');
    writer_.anchor(piece);
    writer_.write(is_braced ? "(void)(::kanor_shadow::kanor_each(" : "(void)(::kanor_shadow::kanor_each((");
    writer_.copy(span);
    writer_.write(is_braced ? ")); " : "))); ");
  }

  /// Writes a callable. One that may be an overload set is put in a call with open types, so that nothing is
  /// resolved yet. Others are written on their own: the type of a lambda within the open call would be open
  /// too.
  void callable(const Expr& callable) {
    if (!may_be_overloaded(source_.text(callable.span))) {
      expression({PieceKind::callable, block_, statement_, -1}, callable.span);
      return;
    }
    writer_.anchor({PieceKind::open_callable, block_, statement_, -1});
    writer_.write("(void)[&](const auto& kanor_a, const auto& kanor_b) { (void)(");
    writer_.copy(callable.span);
    writer_.write(")(kanor_a, kanor_b); }; ");
  }

  /// Returns true for a name, perhaps qualified, with template arguments or in parentheses.
  static bool may_be_overloaded(std::string_view text) {
    while (text.size() > 2 && text.front() == '(' && text.back() == ')')
      text = text.substr(1, text.size() - 2);
    return std::all_of(text.begin(), text.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || std::isspace(c) != 0 || c >= 0x80 ||
             std::string_view("_:<>,").find(static_cast<char>(c)) != std::string_view::npos;
    });
  }

  /// Opens the scope of the later clauses. Returns how many braces it leaves open.
  int clause(const Clause& clause, int index) {
    if (const auto* generator = std::get_if<syntax::Generator>(&clause))
      return this->generator(*generator, index);
    if (const auto* let = std::get_if<syntax::Let>(&clause)) {
      writer_.write("if (");
      writer_.anchor({PieceKind::let, block_, statement_, index});
      // In C++ a name is visible in its own initialiser; in a `let` it still means what it meant before.
      const bool names_itself = source_.text(let->value.span).find(let->name.text) != std::string_view::npos;
      writer_.write("const auto ");
      if (names_itself)
        writer_.write("kanor_let");
      else
        writer_.copy(let->name.span);
      writer_.write(" = ");
      writer_.copy(let->value.span);
      writer_.write("; true) ");
      if (!names_itself) return 0;
      writer_.write("if (const auto ");
      writer_.copy(let->name.span);
      writer_.write(" = kanor_let; true) ");
      return 0;
    }
    writer_.write("{ ");
    expression({PieceKind::filter, block_, statement_, index},
               std::get<syntax::Filter>(clause).condition.span);
    return 1;
  }

  /// Opens a generator's loop: the set's expressions must not see the name. Further names take the first
  /// one's type.
  int generator(const syntax::Generator& generator, int index) {
    writer_.write("for (const auto ");
    writer_.copy(generator.names.front().span);
    writer_.write(" : ");
    writer_.anchor({PieceKind::set, block_, statement_, index});
    const bool is_range = generator.set.form == syntax::Set::Form::range;
    writer_.write(is_range ? "::kanor_shadow::kanor_each(" : "::kanor_shadow::kanor_list(");
    const char* separator = "";
    for (const Expr& element : generator.set.elements) {
      writer_.write(separator);
      writer_.copy(element.span);
      separator = ", ";
    }
    writer_.write(")) ");
    for (std::size_t at = 1; at < generator.names.size(); ++at) {
      writer_.write("if (const auto ");
      writer_.copy(generator.names[at].span);
      writer_.write(" = ");
      writer_.write(source_.text(generator.names.front().span));
      writer_.write("; true) ");
    }
    return 0;
  }

  Writer& writer_;
  const text::Source& source_;
  int block_;
  int statement_ = 0;
};

std::ptrdiff_t newlines(std::string_view text) { return std::count(text.begin(), text.end(), '\n'); }

/// Writes a block as a loop that runs once: that is one statement, and only allowed where a statement is. The
/// macro's spelling brings its own semicolon.
void write_block(const Block& block, int index, Shadow& shadow, Writer& writer) {
  const std::uint32_t begin = writer.here();
  BlockWriter block_writer(writer, *shadow.source, index);
  writer.write("do { ");
  for (const auto& modifier : block.modifiers)
    if (modifier.kind == syntax::ModifierKind::team) block_writer.team(modifier.argument);
  for (std::size_t at = 0; at < block.statements.size(); ++at) {
    block_writer.statement(block.statements[at], static_cast<int>(at));
    writer.write(" ");
  }
  const auto missing =
      newlines(shadow.source->text(block.span)) - newlines(std::string_view(shadow.text).substr(begin));
  writer.write(std::string(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, missing)), '\n'));
  writer.write("} while (false)");
  // Behind the statements, which do not see it yet.
  if (const auto* async = syntax::find_modifier(block, syntax::ModifierKind::async)) {
    writer.write("; ");
    writer.anchor({PieceKind::pending, index, -1, -1});
    writer.write("::kanor::pending ");
    writer.copy(async->argument.span);
  }
  if (block.spelling == Block::Spelling::at_sign) writer.write(";");
  shadow.blocks.push_back({begin, writer.here()});
}

Shadow make_shadow(const text::Source& source, const syntax::Ast* ast, std::vector<Attribute> attributes) {
  Shadow shadow;
  shadow.source = &source;
  shadow.ast = ast;
  shadow.attributes = std::move(attributes);
  Writer writer(shadow);
  std::uint32_t at = 0;
  if (ast != nullptr) {
    for (std::size_t block = 0; block < ast->blocks.size(); ++block) {
      const Span span = ast->blocks[block].span;
      writer.copy({at, span.begin});
      write_block(ast->blocks[block], static_cast<int>(block), shadow, writer);
      at = span.end;
    }
  }
  writer.copy({at, static_cast<std::uint32_t>(source.bytes().size())});
  return shadow;
}

Span part_of(const syntax::Operand& section, int index) {
  const auto at = static_cast<std::size_t>(index);
  const auto& dimension = section.dimensions[at / syntax::parts_of_dimension];
  return (*syntax::parts(dimension)[at % syntax::parts_of_dimension])->span;
}

}  // namespace

std::optional<std::uint32_t> Shadow::original(std::uint32_t shadow_offset) const {
  auto next =
      std::upper_bound(segments.begin(), segments.end(), shadow_offset,
                       [](std::uint32_t offset, const Segment& segment) { return offset < segment.shadow; });
  if (next == segments.begin()) return std::nullopt;
  const Segment& segment = *std::prev(next);
  if (shadow_offset >= segment.shadow + segment.length) return std::nullopt;
  return segment.original + (shadow_offset - segment.shadow);
}

int Shadow::block_at(std::uint32_t shadow_offset) const {
  const auto next = std::upper_bound(blocks.begin(), blocks.end(), shadow_offset,
                                     [](std::uint32_t offset, Span block) { return offset < block.begin; });
  if (next == blocks.begin() || shadow_offset >= std::prev(next)->end) return -1;
  return static_cast<int>(std::prev(next) - blocks.begin());
}

const Anchor* Shadow::anchor_at(std::uint32_t shadow_offset) const {
  const auto found =
      std::lower_bound(anchors.begin(), anchors.end(), shadow_offset,
                       [](const Anchor& anchor, std::uint32_t offset) { return anchor.offset < offset; });
  return found == anchors.end() || found->offset != shadow_offset ? nullptr : &*found;
}

const syntax::Statement& Shadow::statement_of(Piece piece) const {
  return ast->blocks[static_cast<std::size_t>(piece.block)]
      .statements[static_cast<std::size_t>(piece.statement)];
}

Span Shadow::span_of(Piece piece) const {
  if (piece.kind == PieceKind::team || piece.kind == PieceKind::pending) {
    const auto& block = ast->blocks[static_cast<std::size_t>(piece.block)];
    const bool is_team = piece.kind == PieceKind::team;
    return syntax::find_modifier(block, is_team ? syntax::ModifierKind::team : syntax::ModifierKind::async)
        ->argument.span;
  }
  const syntax::Statement& statement = statement_of(piece);
  switch (piece.kind) {
    case PieceKind::place:
      return statement.place.span;
    case PieceKind::value:
      return statement.value.span;
    case PieceKind::receiver:
      return statement.receiver.span;
    case PieceKind::sender:
      return statement.sender.span;
    case PieceKind::callable:
    case PieceKind::open_callable:
      return statement.callable.span;
    case PieceKind::place_part:
    case PieceKind::value_part:
      return part_of(piece.kind == PieceKind::place_part ? statement.place : statement.value, piece.index);
    default:
      break;
  }
  const syntax::Clause& clause = statement.clauses[static_cast<std::size_t>(piece.index)];
  if (const auto* generator = std::get_if<syntax::Generator>(&clause)) return generator->set.span;
  if (const auto* let = std::get_if<syntax::Let>(&clause)) return let->value.span;
  return std::get<syntax::Filter>(clause).condition.span;
}

std::vector<Shadow> make_shadows(const Discovery& discovery, const std::vector<syntax::Ast>& asts) {
  std::vector<Shadow> shadows;
  for (const DiscoveredFile& file : discovery.files) {
    if (file.is_system) continue;
    const auto ast = std::find_if(asts.begin(), asts.end(), [&](const syntax::Ast& candidate) {
      return candidate.source == file.source.get() && !candidate.blocks.empty();
    });
    auto attributes = find_attributes(file.source->bytes());
    if (ast == asts.end() && attributes.empty()) continue;
    shadows.push_back(make_shadow(*file.source, ast == asts.end() ? nullptr : &*ast, std::move(attributes)));
  }
  return shadows;
}

void print(const Shadow& shadow, std::ostream& out) { out << shadow.text; }

void verify(const Shadow& shadow) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::logic_error(std::string("shadow: ") + what);
  };
  const std::string_view text = shadow.text;
  require(newlines(text) == newlines(shadow.source->bytes()), "the number of lines differs");
  std::uint32_t at = 0;
  for (const Segment& segment : shadow.segments) {
    require(segment.shadow >= at, "segments overlap");
    at = segment.shadow + segment.length;
    require(text.substr(segment.shadow, segment.length) ==
                shadow.source->text({segment.original, segment.original + segment.length}),
            "a segment's bytes differ");
  }
  require(std::is_sorted(shadow.anchors.begin(), shadow.anchors.end(),
                         [](const Anchor& a, const Anchor& b) { return a.offset < b.offset; }),
          "anchors are out of order");
}

}  // namespace kanor::host
