// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/block_emitter.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "emit/operand_emitter.hpp"
#include "emit/spelling.hpp"

namespace kanor::emit {
namespace {

using syntax::Expr;

std::string_view operation_name(syntax::Operator op) {
  switch (op) {
    case syntax::Operator::add:
      return "::kanor::abi::add";
    case syntax::Operator::multiply:
      return "::kanor::abi::multiply";
    case syntax::Operator::bit_and:
      return "::kanor::abi::bit_and";
    case syntax::Operator::bit_or:
      return "::kanor::abi::bit_or";
    case syntax::Operator::bit_xor:
      return "::kanor::abi::bit_xor";
    case syntax::Operator::logical_and:
      return "::kanor::abi::logical_and";
    case syntax::Operator::logical_or:
      return "::kanor::abi::logical_or";
    case syntax::Operator::min:
      return "::kanor::abi::min";
    case syntax::Operator::max:
      return "::kanor::abi::max";
    case syntax::Operator::assign:
    case syntax::Operator::callable:
      break;
  }
  throw std::logic_error("an operator without a name of its own");
}

/// The size of a value from which on it may be lent; smaller ones are always copied.
constexpr std::uint64_t least_lent_bytes = 4096;

/// One statement: the loops and conditions of its clauses around one call for each binding.
class StatementEmitter {
 public:
  StatementEmitter(const plan::StatementPlan& planned, sema::Knows knows, const text::Source& source,
                   LineWriter& out, const CopyUserText& copy, bool is_exchange)
      : planned_(planned),
        checked_(*planned.statement),
        statement_(*checked_.syntax),
        knows_(knows),
        source_(source),
        out_(out),
        copy_(copy),
        operands_(planned, source, out, copy),
        is_exchange_(is_exchange) {}

  void emit() {
    collect_names();
    if (knows_ != sema::Knows::both) return emit_one_sided();
    const unsigned line = source_.line(statement_.span.begin);
    out_.line(line, 1);
    const bool reduction = statement_.op != syntax::Operator::assign;
    out_.words(is_exchange_ ? "{" : reduction ? "kanor_block.reduce({" : "kanor_block.assign({");
    out_.words(std::to_string(out_.shown_line(line)) + ", " +
               string_literal(abbreviated(one_line(source_.text(statement_.span)))) + ", " +
               string_literal(names_));
    const std::string flags = this->flags();
    if (has_form())
      out_.words(", " + (flags.empty() ? "0" : flags) + ", " + string_literal(planned_.form.text) + "}, ");
    else
      out_.words((flags.empty() ? "" : ", " + flags) + "}, ");
    if (const std::string list = leaves(); !list.empty() || is_exchange_)
      out_.words((list.empty() ? "{}" : list) + ", ");
    if (reduction) operation();
    if (is_exchange_) {
      operands_.argument(statement_.place.span);
      out_.words(", ");
      operands_.argument(statement_.value.span);
      out_.words(", ");
    }
    out_.words(reduction ? "[&](auto& kanor_bind, auto kanor_operation) {" : "[&](auto& kanor_bind) {");
    for (std::size_t at = 0; at <= statement_.clauses.size(); ++at) {
      if (planned_.receiver_after == at) rank_before_loops("kanor_receiver", statement_.receiver.span);
      if (planned_.sender_after == at) rank_before_loops("kanor_sender", statement_.sender.span);
      if (at == statement_.clauses.size()) break;
      std::visit([&](const auto& form) { emit_clause(form); }, statement_.clauses[at]);
    }
    bind(reduction);
  }

 private:
  bool has_form() const { return !planned_.form.text.empty(); }

  /// The leaves `$0`, `$1`, ... of the form: evaluated where no name of the statement is visible yet.
  std::string leaves() const {
    std::string list;
    for (const sema::Leaf& leaf : planned_.form.leaves) {
      const std::string text = one_line(plan::spelling(leaf));
      list += (list.empty() ? "" : ", ") + (has_top_level_comma(text) ? '(' + text + ')' : text);
    }
    return list.empty() ? list : '{' + list + '}';
  }

  /// Returns true if receivers may read the elements in place, because all ranks wait for each other in this
  /// pattern.
  bool may_be_lent() const {
    using enum plan::Pattern;
    const plan::Pattern pattern = planned_.recognition.pattern;
    const bool is_small = checked_.value_bytes > 0 && checked_.value_bytes < least_lent_bytes;
    return (pattern == all_gather || pattern == all_to_all || pattern == all_reduce) &&
           checked_.value_is_readable_in_place && !is_small;
  }

  /// The site's flags, or an empty text for none.
  std::string flags() const {
    std::string flags;
    const auto add = [&](bool is_set, std::string_view name) {
      if (is_set) flags.append(flags.empty() ? "" : " | ").append("::kanor::abi::").append(name);
    };
    add(checked_.same_address_space, "same_address_space");
    add(checked_.value_lasts, "lasting_value");
    add(may_be_lent(), "lent_value");
    return flags;
  }

  /// Emits the piece that another rank evaluates, as a function of the names that travel to it; then the
  /// bindings, twice: the second time as a function that is never called and tells the names' types to ranks
  /// without bindings.
  void emit_one_sided() {
    const bool pushes = knows_ == sema::Knows::sender;
    const bool reduction = statement_.op != syntax::Operator::assign;
    const unsigned line = source_.line(statement_.span.begin);
    const std::string flags = this->flags();
    for (const auto& name : checked_.carried) carried_ += (carried_.empty() ? "" : ", ") + name;
    out_.line(line, 1);
    out_.words(std::string("kanor_block.") + (pushes ? "push" : "pull") + (reduction ? "_reduce({" : "({") +
               std::to_string(out_.shown_line(line)) + ", " +
               string_literal(abbreviated(one_line(source_.text(statement_.span)))) + ", " +
               string_literal(names_) + ", " + (flags.empty() ? "0" : flags) + ", " +
               string_literal(planned_.form.text) + ", " + string_literal(carried_) + "},");
    if (const std::string list = leaves(); !list.empty()) out_.words(' ' + list + ',');
    if (reduction) {
      out_.words(" ");
      operation();
    }
    const syntax::Operand& piece = pushes ? statement_.place : statement_.value;
    const std::string sink = pushes ? "kanor_at" : "kanor_send";
    out_.line_or_go_on(source_.line(piece.span.begin), 2, 100);
    out_.words("[&");
    for (const auto& name : checked_.copied) out_.words(", " + name);
    out_.words("](auto " + sink);
    for (const auto& name : checked_.carried) out_.words(", [[maybe_unused]] const auto& " + name);
    out_.words(") { return " + sink + "(");
    operands_.operand(piece, {sink, pushes});
    out_.words("); },");
    for (const bool only_types : {false, true}) {
      out_.line(line, 2);
      depth_ = first_depth;
      next_name_ = 0;
      out_.words(only_types ? "[&](auto kanor_bind) {" : "[&](auto& kanor_bind) {");
      for (const auto& clause : statement_.clauses)
        std::visit([&](const auto& form) { emit_clause(form); }, clause);
      bind_one_sided(only_types);
      if (only_types) out_.line(line, 2);
      out_.words(only_types ? "__builtin_unreachable(); });" : " },");
    }
  }

  void bind_one_sided(bool only_types) {
    const bool pushes = knows_ == sema::Knows::sender;
    const syntax::Operand& piece = pushes ? statement_.value : statement_.place;
    const std::string sink = pushes ? "kanor_send" : "kanor_at";
    out_.line(source_.line(statement_.receiver.span.begin), depth_);
    out_.words(only_types ? "return kanor_bind(" : "kanor_bind(");
    operands_.argument(statement_.receiver.span);
    out_.words(",");
    out_.line_or_go_on(source_.line(statement_.sender.span.begin), depth_ + 2, 0);
    operands_.argument(statement_.sender.span);
    out_.words(",");
    out_.line_or_go_on(source_.line(piece.span.begin), depth_ + 2, 0);
    out_.words("[&](auto " + sink + ") { return " + sink + "(");
    operands_.operand(piece, {sink, !pushes});
    out_.words("); }, [&](auto kanor_carry) { return kanor_carry(" + carried_ + "); }");
    if (!names_.empty()) out_.words(", " + names_);
    out_.words(");");
  }

  /// Returns true for the element generator's name: it stands for its first value, and is no name of the
  /// bindings.
  bool is_element_name(const syntax::Name& name) const {
    return planned_.elements && &name == &planned_.elements->generator->names.back();
  }

  void collect_names() {
    const auto add = [&](const syntax::Name& name) {
      if (!is_element_name(name)) names_ += (names_.empty() ? "" : ", ") + name.text;
    };
    for (const auto& clause : statement_.clauses) {
      if (const auto* generator = std::get_if<syntax::Generator>(&clause))
        for (const auto& name : generator->names) add(name);
      if (const auto* let = std::get_if<syntax::Let>(&clause)) add(let->name);
    }
  }

  void operation() {
    if (checked_.list_levels)
      out_.words("::kanor::abi::combining_lists<" + std::to_string(*checked_.list_levels) + ">(");
    if (statement_.op != syntax::Operator::callable) {
      out_.words(operation_name(statement_.op));
    } else if (!checked_.callable_is_overload_set) {
      operands_.argument(statement_.callable.span);
    } else {
      out_.words("[&](const auto& kanor_a, const auto& kanor_b) -> decltype(");
      copy_(statement_.callable.span);
      out_.words("(kanor_a, kanor_b)) { return ");
      copy_(statement_.callable.span);
      out_.words("(kanor_a, kanor_b); }");
    }
    if (checked_.list_levels) out_.words(")");
    out_.words(", ");
  }

  /// Begins a clause; clauses on one line of the user's stay on one line.
  void begin_clause(Span span, std::size_t characters) {
    const unsigned line = source_.line(span.begin);
    if (depth_ == first_depth)
      out_.line(line, depth_);
    else
      out_.line_or_go_on(line, depth_, characters);
    ++depth_;
  }

  void emit_clause(const syntax::Generator& generator) {
    for (const auto& name : generator.names) {
      begin_clause(generator.span, name.text.size() + generator.set.span.end - generator.set.span.begin +
                                       (has_form() ? 60 : 40));
      if (is_element_name(name)) {
        const std::string elements = name_beside(Beside::set, name.text);
        out_.words("if (const auto " + elements + " = ");
        set(generator.set);
        out_.words("; " + elements + ".size() != 0)");
        // A list's index is a function of the name instead.
        if (!planned_.elements->is_listed())
          out_.words(" if (const auto " + name.text + " = *" + elements + ".begin(); true)");
        continue;
      }
      out_.words("for (const auto " + name.text + " : ");
      if (has_form()) out_.words("kanor_bind.only(" + std::to_string(next_name_++) + ", ");
      set(generator.set);
      out_.words(has_form() ? "))" : ")");
    }
  }

  void set(const syntax::Set& set) {
    out_.words(set.form == syntax::Set::Form::list ? "::kanor::abi::list(" : "::kanor::abi::each(");
    for (std::size_t at = 0; at < set.elements.size(); ++at) {
      if (at != 0) out_.words(", ");
      copy_(set.elements[at].span);
    }
    out_.words(")");
  }

  void emit_clause(const syntax::Let& let) {
    begin_clause(let.span, let.span.end - let.span.begin + 30);
    // In C++ a name is visible in its own initialiser; in a `let` it still means what it meant before.
    const bool names_itself = has_word(source_.text(let.value.span), let.name.text);
    const std::string first = names_itself ? name_beside(Beside::let, let.name.text) : let.name.text;
    out_.words("if (const auto " + first + " = ");
    copy_(let.value.span);
    out_.words("; true)");
    if (names_itself) out_.words(" if (const auto " + let.name.text + " = " + first + "; true)");
  }

  void emit_clause(const syntax::Filter& filter) {
    const Span span = filter.condition.span;
    begin_clause(span, span.end - span.begin + 10);
    // Parentheses that the user wrote serve as the if's: twice around a comparison they would draw a warning.
    const bool parenthesised = is_parenthesised(source_.text(span));
    out_.words(parenthesised ? "if " : "if (");
    copy_(span);
    if (!parenthesised) out_.words(")");
  }

  /// A rank that the loops to come do not change: its first use evaluates it, and there may be none.
  void rank_before_loops(const std::string& name, Span rank) {
    begin_clause(rank, name.size() + rank.end - rank.begin + 60);
    out_.words("if (const auto " + name + " = ::kanor::abi::once([&] { return ");
    copy_(rank);
    out_.words("; }); true)");
  }

  /// A rank, in the call that begins a binding.
  void rank(Span span, bool is_known_before, std::string_view name) {
    is_known_before ? out_.words(std::string(name) + ".value()") : operands_.argument(span);
  }

  /// Returns true if evaluating the place or the value checks a section.
  bool has_sections() const {
    return planned_.elements || statement_.place.is_section() || statement_.value.is_section();
  }

  /// One binding, in the innermost loop. The value is evaluated by the sender only, and the place by the
  /// receiver only; a conditional operator tells the value's type to both.
  void bind(bool reduction) {
    const Span receiver = statement_.receiver.span, sender = statement_.sender.span;
    const syntax::Operand &place = statement_.place, &value = statement_.value;
    out_.line(source_.line(receiver.begin), depth_);
    out_.words("if (kanor_bind(");
    rank(receiver, planned_.receiver_after.has_value(), "kanor_receiver");
    out_.words(",");
    out_.line_or_go_on(source_.line(sender.begin), depth_ + 2, sender.end - sender.begin + names_.size() + 5);
    rank(sender, planned_.sender_after.has_value(), "kanor_sender");
    out_.words((names_.empty() ? "" : ", " + names_) + ")) {");
    if (has_sections() && !names_.empty()) out_.words(" kanor_bind.note_names(" + names_ + ");");
    out_.line(source_.line(value.span.begin), depth_ + 1);
    out_.words("const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(");
    operands_.operand(value, {"kanor_bind", false}, planned_.elements ? &planned_.elements->value : nullptr);
    out_.words(") : kanor_bind.nothing();");
    out_.line(source_.line(place.span.begin), depth_ + 1);
    out_.words(std::string("if (kanor_bind.receives()) kanor_bind.") + (reduction ? "reduce(" : "assign("));
    operands_.operand(place, {"kanor_bind", true}, planned_.elements ? &planned_.elements->place : nullptr);
    out_.words(std::string(", kanor_sent") + (reduction ? ", kanor_operation" : "") +
               (names_.empty() ? "" : ", " + names_) + "); } });");
  }

  static constexpr int first_depth = 2;

  const plan::StatementPlan& planned_;
  const sema::CheckedStatement& checked_;
  const syntax::Statement& statement_;
  const sema::Knows knows_;
  const text::Source& source_;
  LineWriter& out_;
  const CopyUserText& copy_;
  const OperandEmitter operands_;
  const bool is_exchange_;
  std::string names_;
  std::string carried_;
  int depth_ = first_depth;
  int next_name_ = 0;  ///< number of the form's next name
};

/// Returns true if one of the block's expressions uses the name that the block declares, for something else.
bool uses_name(const syntax::Block& block, const text::Source& source, std::string_view name) {
  for (const auto& statement : block.statements)
    if (has_word(source.text(statement.span), name)) return true;
  const auto* team = syntax::find_modifier(block, syntax::ModifierKind::team);
  return team != nullptr && has_word(source.text(team->argument.span), name);
}

/// Writes the block's second argument, with the modifiers that matter at run time in the order in which the
/// runtime declares them. Returns false if there are none.
bool emit_modifiers(const sema::CheckedBlock& checked, LineWriter& out, const CopyUserText& copy) {
  const syntax::Block& block = *checked.syntax;
  const char* separator = ", {";
  const auto field = [&](std::string_view text) {
    out.words(separator);
    out.words(text);
    separator = ", ";
  };
  if (const auto* team = syntax::find_modifier(block, syntax::ModifierKind::team)) {
    field(".team = ");
    copy(team->argument.span);
  }
  if (checked.knows == sema::Knows::sender) field(".knows = ::kanor::abi::knows::sender");
  if (checked.knows == sema::Knows::receiver) field(".knows = ::kanor::abi::knows::receiver");
  if (syntax::find_modifier(block, syntax::ModifierKind::copy) != nullptr) field(".copy = true");
  const bool has_any = separator == std::string_view(", ");
  if (has_any) out.words("}");
  return has_any;
}

/// Returns true if the block's only statement exchanges whole globalised variables, with ranks that its
/// leaves determine.
bool is_exchange(const plan::BlockPlan& block, const std::set<std::uint32_t>& handles) {
  const syntax::Block& syntax = *block.block->syntax;
  if (block.statements.size() != 1 || block.block->knows != sema::Knows::both) return false;
  const plan::StatementPlan& planned = block.statements.front();
  const syntax::Statement& statement = *planned.statement->syntax;
  const auto is_team = [](const auto& modifier) { return modifier.kind == syntax::ModifierKind::team; };
  return planned.is_closed && statement.op == syntax::Operator::assign &&
         std::all_of(syntax.modifiers.begin(), syntax.modifiers.end(), is_team) &&
         handles.contains(statement.place.span.begin) && handles.contains(statement.value.span.begin);
}

/// The block's place, as the runtime is told of it.
std::string site_of(const syntax::Block& block, const text::Source& source, const LineWriter& out) {
  const unsigned line = source.line(block.span.begin);
  return "{" + string_literal(out.shown_file(line)) + ", " + std::to_string(out.shown_line(line)) +
         ", __func__}";
}

/// Statements that make Kanor's own words mean Kanor's, and note as read what only generic lambdas read.
std::vector<std::string> preamble_of(const sema::CheckedBlock& block) {
  std::vector<std::string> statements;
  for (const auto& word : block.kanor_words) statements.push_back("using ::kanor::" + word + ";");
  for (const auto& name : block.static_locals) statements.push_back("(void)" + name + ";");
  return statements;
}

void emit_statements(const plan::BlockPlan& block, const text::Source& source, LineWriter& out,
                     const CopyUserText& copy, bool is_exchange) {
  for (const auto& planned : block.statements)
    StatementEmitter(planned, block.block->knows, source, out, copy, is_exchange).emit();
  out.line(source.line(block.block->syntax->span.begin), 1);
}

/// Writes a function of the block's place that starts the block and returns the exchange.
void function_that_starts(const plan::BlockPlan& block, const text::Source& source, LineWriter& out,
                          const CopyUserText& copy, std::string_view afterwards) {
  out.words("[&](const ::kanor::abi::site& kanor_site) { ");
  for (const auto& statement : preamble_of(*block.block)) out.words(statement + " ");
  out.words("return ::kanor::abi::start(kanor_site");
  emit_modifiers(*block.block, out, copy);
  out.words(", [&](::kanor::abi::block& kanor_block) {");
  emit_statements(block, source, out, copy, false);
  out.words("});" + std::string(afterwards) + " }");
}

}  // namespace

void emit_delta(const plan::BlockPlan& block, const std::string& name, const text::Source& source,
                LineWriter& out, const CopyUserText& copy) {
  const syntax::Block& syntax = *block.block->syntax;
  out.words("::kanor::abi::delta " + name + "(" + site_of(syntax, source, out) +
            ", [&](auto& kanor_block) {");
  for (const auto& statement : preamble_of(*block.block)) out.words(" " + statement);
  emit_statements(block, source, out, copy, false);
  out.words("});");
}

void emit_start(const plan::BlockPlan& block, std::string_view pending, const text::Source& source,
                LineWriter& out, const CopyUserText& copy) {
  const std::string site = site_of(*block.block->syntax, source, out);
  out.words(std::string(pending) + " = ");
  function_that_starts(block, source, out, copy, {});
  out.words("(" + site + ");");
}

void emit_block(const plan::BlockPlan& block, const text::Source& source, LineWriter& out,
                const CopyUserText& copy, const std::set<std::uint32_t>& handles,
                std::string_view afterwards) {
  const syntax::Block& syntax = *block.block->syntax;
  const std::string site = site_of(syntax, source, out);
  out.indent_like(syntax.span.begin);
  if (const auto* async = syntax::find_modifier(syntax, syntax::ModifierKind::async)) {
    const std::string name(source.text(async->argument.span));
    // In C++ a name is visible in its own initialiser; in the block it still means what it meant before.
    const bool names_itself = uses_name(syntax, source, name);
    out.words(
        (names_itself ? "const auto " + name_beside(Beside::pending, name) : "::kanor::pending " + name) +
        " = ");
    function_that_starts(block, source, out, copy, afterwards);
    if (names_itself) out.words("; ::kanor::pending " + name + " = " + name_beside(Beside::pending, name));
    return out.words("(" + site + ");");
  }
  out.words("{ ");
  for (const auto& statement : preamble_of(*block.block)) out.words(statement + " ");
  const bool is_exchange = emit::is_exchange(block, handles);
  out.words((is_exchange ? "::kanor::abi::exchange(" : "::kanor::abi::execute(") + site);
  const bool has_modifiers = emit_modifiers(*block.block, out, copy);
  out.words(is_exchange && !has_modifiers ? ", {}," : ",");
  if (!is_exchange) out.words(" [&](::kanor::abi::block& kanor_block) {");
  emit_statements(block, source, out, copy, is_exchange);
  if (is_exchange) {
    out.words((afterwards.empty() ? "" : std::string(afterwards.substr(1))) + " }");
  } else {
    out.words("});" + std::string(afterwards) + " }");
  }
}

}  // namespace kanor::emit
