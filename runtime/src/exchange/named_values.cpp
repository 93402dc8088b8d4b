// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/named_values.hpp"

#include <cstdio>

namespace kanor::rt {

std::string text_of(const abi::named_value& value) {
  switch (value.what()) {
    case abi::named_value::kind::none:
      return "?";
    case abi::named_value::kind::boolean:
      return value.as_unsigned() ? "true" : "false";
    case abi::named_value::kind::signed_integer:
      return std::to_string(value.as_signed());
    case abi::named_value::kind::unsigned_integer:
      return std::to_string(value.as_unsigned());
    case abi::named_value::kind::floating: {
      char text[40];
      std::snprintf(text, sizeof text, "%.17g", value.as_floating());
      return text;
    }
  }
  return "?";
}

std::string names_text(std::string_view names, const abi::named_value* values, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const std::size_t comma = names.find(',');
    std::string_view name = names.substr(0, comma);
    names = comma == std::string_view::npos ? std::string_view() : names.substr(comma + 1);
    while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    if (!text.empty()) text += ", ";
    text.append(name.empty() ? "?" : name).append(" = ").append(text_of(values[i]));
  }
  return text;
}

}  // namespace kanor::rt
