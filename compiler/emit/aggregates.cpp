// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/aggregates.hpp"

#include <algorithm>

namespace kanor::emit {
namespace {

/// The chain of calls that visits each part, in their order.
std::string visits(const sema::AggregateParts& parts) {
  std::string text = "kanor_part";
  if (!parts.bases.empty()) {
    text += ".template bases<";
    for (const auto& base : parts.bases) text += (&base == &parts.bases.front() ? "" : ", ") + base;
    text += ">(kanor_self)";
  }
  for (const auto& member : parts.members) {
    const std::string name = "kanor_self." + member.name;
    text += member.is_bit_field
                ? ".bits([&] { return " + name + "; }, [&](auto kanor_bits) { " + name + " = kanor_bits; })"
                : ".member(" + name + ")";
  }
  return text;
}

}  // namespace

std::string spell_parts(const sema::AggregateParts& parts) {
  const std::string body = "{ return " + visits(parts) + "; }";
  std::string text = parts.begins_private ? " public: " : " ";
  const bool has_bits = std::any_of(parts.members.begin(), parts.members.end(),
                                    [](const auto& member) { return member.is_bit_field; });
  // What is assigned to a bit-field has been read from one like it.
  if (has_bits)
    text += R"(_Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wconversion\"") )";
  // A function with a result to be deduced cannot be used in the class before its body: where a template can
  // stand, whoever uses it waits for the end.
  if (parts.may_have_templates)
    text +=
        "template <class KanorSelf, class KanorPart> "
        "static auto kanor_parts(KanorSelf& kanor_self, KanorPart kanor_part) " +
        body;
  else
    text += "static auto kanor_parts() { return [](auto& kanor_self, auto kanor_part) " + body + "; }";
  if (has_bits) text += R"( _Pragma("GCC diagnostic pop"))";
  text += " void kanor_has_parts() {}";
  return text + (parts.begins_private ? " private:" : " ");
}

}  // namespace kanor::emit
