// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/block_record.hpp"

#include <algorithm>
#include <cstring>

#include "exchange/named_values.hpp"
#include "kanor/team.hpp"

namespace kanor::rt {
namespace {

std::uint64_t word_of(const abi::named_value& value) {
  std::uint64_t word = 0;
  if (value.what() == abi::named_value::kind::none) return word;
  if (value.what() == abi::named_value::kind::floating) {
    const double number = value.as_floating();
    std::memcpy(&word, &number, sizeof(word));
    return word;
  }
  return value.what() == abi::named_value::kind::signed_integer
             ? static_cast<std::uint64_t>(value.as_signed())
             : value.as_unsigned();
}

abi::named_value value_of(abi::named_value::kind kind, std::uint64_t word) {
  switch (kind) {
    case abi::named_value::kind::none:
      break;
    case abi::named_value::kind::boolean:
      return abi::named_value(word != 0);
    case abi::named_value::kind::signed_integer:
      return abi::named_value(static_cast<long long>(word));
    case abi::named_value::kind::unsigned_integer:
      return abi::named_value(static_cast<unsigned long long>(word));
    case abi::named_value::kind::floating: {
      double number = 0;
      std::memcpy(&number, &word, sizeof(number));
      return abi::named_value(number);
    }
  }
  return {};
}

/// Adds a word to a hash that depends on the words' order; every bit of the word reaches every bit of the
/// hash.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

class Writer {
 public:
  template <class T>
  void number(T value) {
    append(&value, sizeof(value));
  }
  void text(const std::string& value) {
    number<std::uint64_t>(value.size());
    append(value.data(), value.size());
  }
  template <class T>
  void list(const std::vector<T>& values) {
    number<std::uint64_t>(values.size());
    append(values.data(), values.size() * sizeof(T));
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t bytes) {
    const auto* const begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + bytes);
  }
  std::vector<std::byte> bytes_;
};

/// Reads what a Writer of the same program wrote.
class Reader {
 public:
  Reader(const std::byte* data, std::size_t bytes) : at_(data), left_(bytes) {}
  template <class T>
  T number() {
    T value{};
    take(&value, sizeof(value));
    return value;
  }
  std::string text() {
    std::string value(std::min<std::size_t>(number<std::uint64_t>(), left_), '\0');
    take(value.data(), value.size());
    return value;
  }
  template <class T>
  std::vector<T> list() {
    std::vector<T> values(std::min<std::size_t>(number<std::uint64_t>(), left_ / sizeof(T)));
    take(values.data(), values.size() * sizeof(T));
    return values;
  }

 private:
  void take(void* value, std::size_t bytes) {
    bytes = std::min(bytes, left_);
    if (bytes != 0) std::memcpy(value, at_, bytes);
    at_ += bytes;
    left_ -= bytes;
  }
  const std::byte* at_;
  std::size_t left_;
};

/// Describes the first binding in which two statements differ, as far as both have kept theirs.
std::string first_difference(const StatementRecord& a, const std::string& member_a, const StatementRecord& b,
                             const std::string& member_b) {
  const std::size_t kept = std::min(a.words.size() / a.words_each(), b.words.size() / b.words_each());
  const auto same = [&](std::size_t binding) {
    const auto at = [&](const StatementRecord& statement) {
      return statement.words.begin() + static_cast<std::ptrdiff_t>(binding * statement.words_each());
    };
    return std::equal(at(a), at(a) + static_cast<std::ptrdiff_t>(a.words_each()), at(b));
  };
  // One without bindings does not know how many names there are.
  if (a.bindings != 0 && b.bindings != 0 && a.words_each() != b.words_each()) return {};
  std::size_t binding = 0;
  while (binding < kept && same(binding)) ++binding;
  const auto text = [&](const StatementRecord& statement, const std::string& member) -> std::string {
    if (binding >= statement.bindings) return "missing on " + member;
    if (binding >= statement.words.size() / statement.words_each()) return {};
    return statement.binding_text(binding) + " on " + member;
  };
  const std::string text_a = text(a, member_a), text_b = text(b, member_b);
  if (text_a.empty() || text_b.empty()) return {};
  return ": binding " + std::to_string(binding + 1) + " is " + text_a + ", but " + text_b;
}

}  // namespace

void StatementRecord::add(int receiver, int sender, const abi::named_value* values, int name_count) {
  if (bindings++ == 0)
    for (int i = 0; i < name_count; ++i) kinds.push_back(values[i].what());
  const std::uint64_t ranks = static_cast<std::uint64_t>(static_cast<std::uint32_t>(receiver)) << 32 |
                              static_cast<std::uint32_t>(sender);
  const bool keep = words.size() + words_each() <= most_words;
  hash = mixed(hash, ranks);
  if (keep) words.push_back(ranks);
  for (int i = 0; i < name_count; ++i) {
    const std::uint64_t word = word_of(values[i]);
    hash = mixed(hash, word);
    if (keep) words.push_back(word);
  }
}

std::string StatementRecord::binding_text(std::size_t binding) const {
  const std::uint64_t* const at = words.data() + binding * words_each();
  std::vector<abi::named_value> values;
  for (std::size_t i = 0; i < kinds.size(); ++i) values.push_back(value_of(kinds[i], at[1 + i]));
  const std::string names_and_values = names_text(names, values.data(), static_cast<int>(values.size()));
  const auto rank = [](std::uint64_t word) {
    const int number = static_cast<int>(static_cast<std::uint32_t>(word));
    return number == no_rank ? std::string("no rank") : "rank " + std::to_string(number);
  };
  const std::string ranks = "from " + rank(at[0]) + " to " + rank(at[0] >> 32);
  return names_and_values.empty() ? ranks : names_and_values + " (" + ranks + ")";
}

std::string BlockRecord::what() const {
  const std::string place = " at " + file + ":" + std::to_string(line);
  if (step == Step::end) return context == 0 ? "has ended" : "has released the team";
  const std::string about = concerns.empty() ? "" : " for " + concerns;
  if (!call.empty()) return "executes " + call + " (the " + name_of(step) + place + about + ")";
  return doing(step) + place + about;
}

void BlockRecord::shorten() {
  for (StatementRecord& statement : statements) {
    statement.words.clear();
    statement.words.shrink_to_fit();
  }
}

std::vector<std::byte> BlockRecord::encode() const {
  Writer writer;
  writer.number(step);
  writer.number(context);
  writer.number(position);
  writer.text(file);
  writer.number(line);
  writer.text(call);
  writer.text(concerns);
  writer.number<std::uint64_t>(statements.size());
  for (const StatementRecord& statement : statements) {
    writer.number(statement.line);
    writer.text(statement.text);
    writer.text(statement.names);
    writer.text(statement.type);
    writer.number(statement.uniform);
    writer.number(statement.bindings);
    writer.number(statement.hash);
    writer.list(statement.kinds);
    writer.list(statement.words);
  }
  return writer.take();
}

BlockRecord BlockRecord::decode(const std::byte* data, std::size_t bytes) {
  Reader reader(data, bytes);
  BlockRecord record;
  record.step = reader.number<Step>();
  record.context = reader.number<std::uint64_t>();
  record.position = reader.number<std::uint64_t>();
  record.file = reader.text();
  record.line = reader.number<int>();
  record.call = reader.text();
  record.concerns = reader.text();
  for (std::uint64_t count = reader.number<std::uint64_t>(); count > 0; --count) {
    StatementRecord& statement = record.statements.emplace_back();
    statement.line = reader.number<int>();
    statement.text = reader.text();
    statement.names = reader.text();
    statement.type = reader.text();
    statement.uniform = reader.number<bool>();
    statement.bindings = reader.number<std::uint64_t>();
    statement.hash = reader.number<std::uint64_t>();
    statement.kinds = reader.list<abi::named_value::kind>();
    statement.words = reader.list<std::uint64_t>();
  }
  return record;
}

namespace {

/// "int" of "… [with T = int]", as g++ writes it, or "… [T = int]".
std::string type_name(const std::string& text) {
  constexpr std::string_view before = "T = ";
  const std::size_t begin = text.find(before), end = text.rfind(']');
  if (begin == std::string::npos || end == std::string::npos) return text;
  return text.substr(begin + before.size(), end - begin - before.size());
}

/// Returns true if both records are of one block: several blocks may stand on one line.
bool is_same_block(const BlockRecord& a, const BlockRecord& b) {
  return a.file == b.file && a.line == b.line &&
         std::equal(
             a.statements.begin(), a.statements.end(), b.statements.begin(), b.statements.end(),
             [](const StatementRecord& one, const StatementRecord& other) { return one.text == other.text; });
}

}  // namespace

std::string difference(const BlockRecord& a, const std::string& member_a, const BlockRecord& b,
                       const std::string& member_b) {
  const bool both_blocks = a.step == Step::block && b.step == Step::block;
  if (a.step != b.step || a.concerns != b.concerns || (both_blocks && !is_same_block(a, b))) {
    const bool one_line = both_blocks && a.file == b.file && a.line == b.line;
    return member_a + " " + a.what() + " where " + member_b + " " +
           (one_line ? "executes another block on that line" : b.what()) +
           ": all members of a team must execute the same sequence of blocks and splits (position " +
           std::to_string(a.position) + ", counted from 0)";
  }
  for (std::size_t i = 0; i < std::min(a.statements.size(), b.statements.size()); ++i) {
    const StatementRecord &one = a.statements[i], &other = b.statements[i];
    const std::string place = a.file + ":" + std::to_string(one.line);
    const std::string head = a.call.empty() ? place + ": in '" + one.text + "', " : a.call + ": ";
    const std::string tail = a.call.empty() ? "" : " (in its block at " + place + ")";
    if (!one.type.empty() && !other.type.empty() && one.type != other.type)
      return head + member_a + " has values of type " + type_name(one.type) + ", but " + member_b +
             " of type " + type_name(other.type) + tail;
    if (!one.uniform || (one.bindings == other.bindings && one.hash == other.hash)) continue;
    std::string text = head + member_a + " and " + member_b +
                       (a.call.empty() ? " do not agree on the bindings" : " give it different arguments") +
                       tail;
    if (one.bindings != other.bindings)
      text += " (" + member_a + " has " + std::to_string(one.bindings) + ", " + member_b + " has " +
              std::to_string(other.bindings) + ")";
    return text + first_difference(one, member_a, other, member_b) +
           (a.call.empty() ? "; clauses and ranks must have the same values on all members" : "");
  }
  return {};
}

}  // namespace kanor::rt
