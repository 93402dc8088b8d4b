// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/operand_emitter.hpp"

#include <string>
#include <utility>

#include "emit/spelling.hpp"

namespace kanor::emit {

void OperandEmitter::argument(Span span) const {
  const bool comma = has_top_level_comma(source_.text(span));
  if (comma) out_.words("(");
  copy_(span);
  if (comma) out_.words(")");
}

void OperandEmitter::indices_of(Sink sink) const {
  out_.words(", " + std::string(sink.name) + (sink.is_of_place ? ".place_indices(" : ".value_indices("));
}

void OperandEmitter::elements(const plan::ElementSection& section, Sink sink) const {
  const std::string& name = planned_.elements->generator->names.back().text;
  const std::string all = name_beside(Beside::set, name);
  const auto index_function = [&] {
    const bool is_used = has_word(source_.text(section.index), name);
    out_.words(std::string("[&](") + (is_used ? "" : "[[maybe_unused]] ") + "const auto " + name +
               ") { return ");
    with_checks(section.index, sink);
    out_.words("; }");
  };
  out_.words(section.is_listed() ? "::kanor::abi::listed_elements(" : "::kanor::abi::section(");
  with_checks(section.base, sink);
  if (section.is_listed()) {
    indices_of(sink);
    out_.words(all + ", ");
    index_function();
  } else {
    out_.words(", ::kanor::abi::part(");
    if (planned_.elements->is_listed()) {
      index_function();
      out_.words("(*" + all + ".begin())");
    } else {
      with_checks(section.index, sink);
    }
    out_.words(", " + all + ".size()");
    if (section.stride != 1) out_.words(", " + std::to_string(section.stride));
  }
  out_.words("))");
}

void OperandEmitter::with_checks(Span span, Sink sink) const {
  const bool comma = has_top_level_comma(source_.text(span));
  if (comma) out_.words("(");
  for (const sema::CheckedElement& element : planned_.statement->elements) {
    if (element.whole.begin < span.begin || element.whole.end > span.end) continue;
    copy_({span.begin, element.whole.begin});
    span.begin = element.whole.begin;
    // What is handed over is spelled as a whole, with the elements in it.
    if (copy_.is_edited({element.index.end, element.whole.end})) {
      copy_(element.whole);
      span.begin = element.whole.end;
      continue;
    }
    out_.words(std::string(sink.name) + ".element(");
    with_checks(element.base, sink);
    out_.words(", ");
    with_checks(element.index, sink);
    out_.words(")");
    span.begin = element.whole.end;
  }
  copy_(span);
  if (comma) out_.words(")");
}

void OperandEmitter::operand(const syntax::Operand& operand, Sink sink,
                             const plan::ElementSection* section) const {
  if (section != nullptr) return elements(*section, sink);
  if (!operand.is_section()) return with_checks(operand.span, sink);
  const std::string function = copy_.function_around(operand.span);
  if (!function.empty()) out_.words(function + "(");
  this->section(operand, sink);
  if (!function.empty()) out_.words(")");
}

void OperandEmitter::section(const syntax::Operand& operand, Sink sink) const {
  const auto& indices = operand.dimensions.back().indices;
  out_.words(indices ? "::kanor::abi::listed_elements(" : "::kanor::abi::section(");
  argument(operand.base);
  if (indices) {
    indices_of(sink);
    argument(indices->span);
    out_.words(")");
  }
  for (const auto& dimension : operand.dimensions) {
    if (dimension.indices) break;
    if (dimension.whole) {
      out_.words(", ::kanor::abi::whole");
      continue;
    }
    const char* separator = ", ::kanor::abi::part(";
    for (const auto* part : syntax::parts(dimension)) {
      if (!*part) continue;
      out_.words(std::exchange(separator, ", "));
      argument((*part)->span);
    }
    out_.words(")");
  }
  out_.words(")");
}

}  // namespace kanor::emit
