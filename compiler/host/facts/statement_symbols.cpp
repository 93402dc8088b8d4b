// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/statement_symbols.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <array>

#include "host/facts/symbolic_reader.hpp"

namespace kanor::host {
namespace {

using sema::Obscurity;
using sema::Symbolic;
using sema::SymbolicSet;

bool depends_on_arguments(const clang::Expr* expression) {
  return expression->isInstantiationDependent() || expression->containsErrors() ||
         expression->getType().isNull();
}

/// Reads one statement's clauses in order.
class StatementReader {
 public:
  StatementReader(clang::Sema& sema, const FileMap& files, const StatementKey& key,
                  const StatementPieces& pieces, const clang::Expr* team, SteadyVariables& variables,
                  SymbolOptions options)
      : sema_(sema),
        pieces_(pieces),
        block_(key.file->shadow->ast->blocks[static_cast<std::size_t>(key.block)]),
        statement_(block_.statements[static_cast<std::size_t>(key.statement)]),
        source_(*key.file->source),
        is_instance_(!options.folds_constants),
        values_(sema.Context, variables, team),
        reader_(sema, files, key, values_, options) {}

  std::optional<sema::SymbolicStatement> read() {
    if (!has_all_pieces() || (is_instance_ && expands_packs())) return std::nullopt;
    for (std::size_t at = 0; at < statement_.clauses.size(); ++at) {
      const int index = static_cast<int>(at);
      if (const auto* generator = std::get_if<syntax::Generator>(&statement_.clauses[at])) {
        for (const auto& name : generator->names) add_name(name, *generator, index);
      } else if (const auto* let = std::get_if<syntax::Let>(&statement_.clauses[at])) {
        reader_.add_let(let->name.span, pieces_.lets.at(index), certain_);
      } else {
        reader_.read_filter(pieces_.filters.at(index), true, certain_, result_.filters);
        certain_ = false;
      }
    }
    result_.receiver = reader_.read(pieces_.receiver, certain_);
    result_.sender = reader_.read(pieces_.sender, certain_);
    result_.place_names = names_in(pieces_.place, pieces_.place_parts);
    result_.value_names = names_in(pieces_.value, pieces_.value_parts);
    result_.leaves = reader_.take_leaves();
    return std::move(result_);
  }

 private:
  std::vector<int> names_in(const clang::Expr* base, const std::map<int, clang::Expr*>& section) const {
    std::vector<int> names = reader_.names_in(base);
    for (const auto& [part, expression] : section) {
      const auto inner = reader_.names_in(expression);
      names.insert(names.end(), inner.begin(), inner.end());
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

  /// Returns true for an instantiation that has a pack's members where the text has the pack.
  bool expands_packs() const {
    std::vector<Span> spans{statement_.receiver.span, statement_.sender.span};
    for (const auto& clause : statement_.clauses) {
      if (const auto* generator = std::get_if<syntax::Generator>(&clause))
        for (const auto& element : generator->set.elements) spans.push_back(element.span);
      else if (const auto* let = std::get_if<syntax::Let>(&clause))
        spans.push_back(let->value.span);
      else
        spans.push_back(std::get<syntax::Filter>(clause).condition.span);
    }
    return std::any_of(spans.begin(), spans.end(),
                       [&](Span span) { return source_.text(span).find("...") != std::string_view::npos; });
  }

  bool has_all_pieces() const {
    const auto closed = [](const clang::Expr* piece) {
      return piece != nullptr && !depends_on_arguments(piece);
    };
    if (!closed(pieces_.receiver) || !closed(pieces_.sender) || pieces_.place == nullptr ||
        pieces_.value == nullptr)
      return false;
    for (std::size_t at = 0; at < statement_.clauses.size(); ++at) {
      const int index = static_cast<int>(at);
      const clang::Expr* piece = nullptr;
      if (std::holds_alternative<syntax::Generator>(statement_.clauses[at])) {
        if (const auto found = pieces_.sets.find(index); found != pieces_.sets.end()) piece = found->second;
      } else if (std::holds_alternative<syntax::Let>(statement_.clauses[at])) {
        if (const auto found = pieces_.lets.find(index); found != pieces_.lets.end()) piece = found->second;
      } else if (const auto found = pieces_.filters.find(index); found != pieces_.filters.end()) {
        piece = found->second;
      }
      if (!closed(piece)) return false;
    }
    return true;
  }

  void add_name(const syntax::Name& name, const syntax::Generator& generator, int index) {
    Bounds bounds;
    SymbolicSet set = read_set(pieces_.sets.at(index), generator.set, bounds);
    set.span = generator.set.span;
    certain_ = certain_ && is_never_empty(set);
    reader_.add_name(name.span, bounds);
    result_.names.push_back({name.text, std::move(set)});
  }

  static SymbolicSet unknown(Symbolic why) {
    SymbolicSet set;
    set.members.push_back(std::move(why));
    return set;
  }

  /// The bounds of an interval's members. Its last member may lie before its first; then only the type bounds
  /// them.
  Bounds bounds_of_interval(const SymbolicSet& set, clang::QualType type) const {
    const Bounds first = reader_.bounds(set.members[0]), last = reader_.bounds(set.members[1]);
    Bounds known{first.lowest, last.highest, std::nullopt};
    const int width = static_cast<int>(sema_.Context.getIntWidth(type));
    const int of_type = std::min(type->isUnsignedIntegerOrEnumerationType() ? width : width - 1, 62);
    if (first.bits) known.bits = last.bits ? std::min(*last.bits, of_type) : of_type;
    return known;
  }

  SymbolicSet read_set(const clang::CallExpr* call, const syntax::Set& set, Bounds& bounds) {
    if (set.form == syntax::Set::Form::range) return read_range(call->getArg(0), bounds);
    if (call->getNumArgs() != set.elements.size())
      return unknown(reader_.opaque(Obscurity::set_of_values, call));
    SymbolicSet result;
    result.form =
        set.form == syntax::Set::Form::interval ? SymbolicSet::Form::interval : SymbolicSet::Form::list;
    for (const clang::Expr* member : call->arguments()) {
      result.members.push_back(reader_.read(member, certain_));
      if (!sema::is_described(result.members.back())) return unknown(result.members.back());
    }
    const clang::QualType type = call->getArg(0)->getType();
    if (result.form == SymbolicSet::Form::interval) {
      const clang::QualType other = call->getArg(1)->getType();
      const bool wider = sema_.Context.getIntWidth(other) > sema_.Context.getIntWidth(type);
      bounds = bounds_of_interval(result, wider ? other : type);
    } else {
      bounds = bounds_of_list(result);
    }
    return result;
  }

  Bounds bounds_of_list(const SymbolicSet& set) const {
    Bounds all = reader_.bounds(set.members[0]);
    for (const Symbolic& member : set.members) {
      const Bounds one = reader_.bounds(member);
      all.lowest =
          all.lowest && one.lowest ? std::optional(std::min(*all.lowest, *one.lowest)) : std::nullopt;
      all.highest =
          all.highest && one.highest ? std::optional(std::max(*all.highest, *one.highest)) : std::nullopt;
      all.bits = all.bits && one.bits ? std::optional(std::max(*all.bits, *one.bits)) : std::nullopt;
    }
    return all;
  }

  SymbolicSet read_range(const clang::Expr* range, Bounds& bounds) {
    range = without_wrapping(range);
    if (is_class(range->getType(), "kanor::team")) {
      const bool usable = reader_.names_in(range).empty() && (certain_ || values_.is_safe(range));
      Symbolic size = usable ? reader_.read_size(range) : reader_.opaque(Obscurity::guarded, range);
      if (!sema::is_described(size)) return unknown(std::move(size));
      bounds = {0, std::nullopt, 31};
      return interval(sema::integer(0), before(std::move(size)));
    }
    const auto* call = llvm::dyn_cast<clang::CallExpr>(range);
    const auto* callee = call == nullptr ? nullptr : call->getDirectCallee();
    if (callee == nullptr || callee->getQualifiedNameAsString() != "kanor::range" || call->getNumArgs() < 2) {
      return unknown(reader_.opaque(Obscurity::set_of_values, range));
    }
    return read_kanor_range(call, bounds);
  }

  /// Reads `range(lo, hi, step)`: the values in between, at equal distances.
  SymbolicSet read_kanor_range(const clang::CallExpr* call, Bounds& bounds) {
    const clang::Expr *low = without_wrapping(call->getArg(0)), *high = without_wrapping(call->getArg(1));
    Symbolic first = reader_.read(low, certain_), end = reader_.read(high, certain_);
    for (const Symbolic* part : {&first, &end})
      if (!sema::is_described(*part)) return unknown(*part);
    const bool has_step = call->getNumArgs() > 2 && !llvm::isa<clang::CXXDefaultArgExpr>(call->getArg(2));
    Symbolic step = has_step ? reader_.read(without_wrapping(call->getArg(2)), certain_) : sema::integer(1);
    if (!sema::is_described(step)) return unknown(std::move(step));
    if (!sema_.Context.hasSameUnqualifiedType(low->getType(), high->getType()))
      for (const Symbolic* part : {&first, &end})
        if (!reader_.bounds(*part).bits) return unknown(reader_.opaque(Obscurity::may_change, call));
    if (!step.is_integer(1)) {
      bounds = bounds_of_progression(reader_.bounds(first), reader_.bounds(end));
      SymbolicSet set;
      set.form = SymbolicSet::Form::progression;
      set.members = {std::move(first), std::move(end), std::move(step)};
      return set;
    }
    SymbolicSet set = interval(std::move(first), before(std::move(end)));
    bounds = bounds_of_interval(set, high->getType());
    return set;
  }

  /// The bounds of a progression that begins with either of the two.
  static Bounds bounds_of_progression(const Bounds& first, const Bounds& end) {
    Bounds known;
    if (first.lowest && end.lowest) known.lowest = std::min(*first.lowest, *end.lowest);
    if (first.highest && end.highest) known.highest = std::max(*first.highest, *end.highest);
    if (first.bits && end.bits) known.bits = std::max(*first.bits, *end.bits);
    return known;
  }

  static Symbolic before(Symbolic end) {
    if (end.is(Symbolic::Kind::integer))
      if (const auto last = sema::evaluate(sema::Operation::subtract, std::array{end.value, std::int64_t{1}}))
        return sema::integer(*last);
    return sema::operation(sema::Operation::subtract, std::move(end), sema::integer(1));
  }

  static SymbolicSet interval(Symbolic first, Symbolic last) {
    SymbolicSet set;
    set.form = SymbolicSet::Form::interval;
    set.members = {std::move(first), std::move(last)};
    return set;
  }

  /// Returns true for all ranks of a team, a list, and an interval whose ends are known to be in order.
  bool is_never_empty(const SymbolicSet& set) const {
    if (set.form == SymbolicSet::Form::list) return true;
    if (set.form != SymbolicSet::Form::interval) return false;
    const Bounds last = reader_.bounds(set.members[1]), first = reader_.bounds(set.members[0]);
    return first.highest && last.lowest && *first.highest <= *last.lowest;
  }

  clang::Sema& sema_;
  const StatementPieces& pieces_;
  const syntax::Block& block_;
  const syntax::Statement& statement_;
  const text::Source& source_;
  bool is_instance_;
  UniformValues values_;
  SymbolicReader reader_;
  sema::SymbolicStatement result_;
  bool certain_ = true;
};

}  // namespace

std::optional<sema::SymbolicStatement> statement_symbols(clang::Sema& sema, const FileMap& files,
                                                         const StatementKey& key,
                                                         const StatementPieces& pieces,
                                                         const clang::Expr* team, SteadyVariables& variables,
                                                         SymbolOptions options) {
  return StatementReader(sema, files, key, pieces, team, variables, options).read();
}

}  // namespace kanor::host
