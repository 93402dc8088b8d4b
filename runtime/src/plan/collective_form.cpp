// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/collective_form.hpp"

#include <array>
#include <cstdint>

namespace kanor::rt::plan {
namespace {

/// An affine expression: constant + the sum of coefficient * name.
struct Affine {
  std::int64_t constant = 0;
  std::array<std::int64_t, most_names> coefficients{};
  bool known = true;  ///< false: the expression is not affine, or one of its numbers has more than 62 bits
  bool is_number() const { return known && coefficients == std::array<std::int64_t, most_names>{}; }
};

constexpr std::int64_t beyond = std::int64_t{1} << 61;

bool is_small(std::int64_t number) { return -beyond < number && number < beyond; }

/// a * left + b * right, a and b being -1, 0 or 1.
Affine sum(std::int64_t a, const Affine& left, std::int64_t b, const Affine& right) {
  Affine result;
  result.known = left.known && right.known;
  result.constant = a * left.constant + b * right.constant;
  result.known &= is_small(result.constant);
  for (std::size_t i = 0; i < most_names; ++i) {
    result.coefficients[i] = a * left.coefficients[i] + b * right.coefficients[i];
    result.known &= is_small(result.coefficients[i]);
  }
  return result;
}

class Reader {
 public:
  Reader(const Form& form, std::span<const abi::leaf> leaves) : form_(form), leaves_(leaves) {}

  Affine read(int number) const {
    Affine result;
    if (number < 0) return unknown();
    const Node& node = form_.nodes[static_cast<std::size_t>(number)];
    const auto operand = [&](int i) {
      return read(form_.operands[static_cast<std::size_t>(node.first_operand + i)]);
    };
    switch (node.kind) {
      case Node::Kind::constant:
        result.constant = node.value;
        break;
      case Node::Kind::leaf:
        if (leaves_[static_cast<std::size_t>(node.value)].what() != abi::leaf::kind::integer)
          return unknown();
        result.constant = leaves_[static_cast<std::size_t>(node.value)].integer();
        break;
      case Node::Kind::name:
        result.coefficients[static_cast<std::size_t>(node.value)] = 1;
        break;
      case Node::Kind::negation:
        return sum(-1, operand(0), 0, result);
      case Node::Kind::operation:
        if (node.op == Operator::add) return sum(1, operand(0), 1, operand(1));
        if (node.op == Operator::subtract) return sum(1, operand(0), -1, operand(1));
        return unknown();
      default:
        return unknown();
    }
    result.known = is_small(result.constant);
    return result;
  }

 private:
  static Affine unknown() {
    Affine result;
    result.known = false;
    return result;
  }

  const Form& form_;
  std::span<const abi::leaf> leaves_;
};

/// The number of the name if the expression is a name plus a number; else -1.
int name_in(const Affine& expression) {
  int name = -1;
  for (int i = 0; i < most_names; ++i) {
    const std::int64_t coefficient = expression.coefficients[static_cast<std::size_t>(i)];
    if (coefficient == 0) continue;
    if (coefficient != 1 || name >= 0) return -1;
    name = i;
  }
  return expression.known ? name : -1;
}

/// The demands on receiver and sender that matter for collectives.
struct Demands {
  bool receiver_from_0 = false, receiver_to_last = false, receiver_from_1 = false;
  bool sender_from_0 = false, sender_to_last = false;
  bool sender_up_to_receiver = false, sender_below_receiver = false;
};

/// Collects demands of the kind  a * receiver + b * sender + constant <= 0.
class Collector {
 public:
  Collector(const Affine& receiver, int to_name, const Affine& sender, int from_name, int size)
      : receiver_(receiver), to_name_(to_name), sender_(sender), from_name_(from_name), last_(size - 1) {}

  bool demand(const Affine& not_positive) {
    Affine rest = not_positive;
    if (!rest.known) return false;
    const std::int64_t a = take(rest, receiver_, to_name_);
    const std::int64_t b = take(rest, sender_, from_name_);
    if (!rest.is_number()) return false;
    const std::int64_t constant = rest.constant;
    if (a == 0 && b == 0) return constant <= 0;  // nothing is demanded; or it never holds
    const auto is = [&](std::int64_t its_a, std::int64_t its_b, std::int64_t its_constant) {
      return a == its_a && b == its_b && constant == its_constant;
    };
    bool* const known[] = {&demands.receiver_from_0,      &demands.receiver_to_last,
                           &demands.receiver_from_1,      &demands.sender_from_0,
                           &demands.sender_to_last,       &demands.sender_up_to_receiver,
                           &demands.sender_below_receiver};
    const bool found[] = {is(-1, 0, 0),     is(1, 0, -last_), is(-1, 0, 1), is(0, -1, 0),
                          is(0, 1, -last_), is(-1, 1, 0),     is(-1, 1, 1)};
    for (std::size_t i = 0; i < std::size(found); ++i)
      if (found[i]) return *known[i] = true;
    return false;
  }

  Demands demands;

 private:
  /// Substitutes the rank, name + number, for the name; returns the name's coefficient.
  static std::int64_t take(Affine& rest, const Affine& rank, int name) {
    if (name < 0) return 0;
    const std::int64_t coefficient = rest.coefficients[static_cast<std::size_t>(name)];
    if (coefficient != 1 && coefficient != -1) return 0;  // then it remains in the rest, unless it is 0
    rest = sum(1, rest, -coefficient, rank);
    return coefficient;
  }

  const Affine& receiver_;
  int to_name_;
  const Affine& sender_;
  int from_name_;
  std::int64_t last_;
};

/// Adds left REL right to the demands.
bool demand(Collector& collector, const Affine& left, Relation relation, const Affine& right) {
  const Affine difference = sum(1, left, -1, right), opposite = sum(1, right, -1, left);
  Affine one;
  one.constant = 1;
  switch (relation) {
    case Relation::less:
      return collector.demand(sum(1, difference, 1, one));
    case Relation::less_or_equal:
      return collector.demand(difference);
    case Relation::greater:
      return collector.demand(sum(1, opposite, 1, one));
    case Relation::greater_or_equal:
      return collector.demand(opposite);
    default:
      return false;
  }
}

bool demand_all(Collector& collector, const Form& form, const Reader& reader) {
  for (const Form::Set& set : form.sets) {
    if (set.kind != Form::Set::Kind::interval) return false;
    const Affine name = reader.read(set.node);
    if (!demand(collector, reader.read(set.ends[0]), Relation::less_or_equal, name)) return false;
    if (!demand(collector, name, Relation::less_or_equal, reader.read(set.ends[1]))) return false;
  }
  for (const Form::Filter& filter : form.filters)
    if (!demand(collector, reader.read(filter.left), filter.relation, reader.read(filter.right)))
      return false;
  return true;
}

}  // namespace

std::optional<CollectiveForm> collective_form(const Form& form, std::span<const abi::leaf> leaves, int size) {
  if (leaves.size() < static_cast<std::size_t>(form.leaves) || form.to < 0 || form.from < 0)
    return std::nullopt;
  const Reader reader(form, leaves);
  const Affine receiver = reader.read(form.to), sender = reader.read(form.from);
  const int to_name = name_in(receiver), from_name = name_in(sender);
  if (to_name < 0) return std::nullopt;

  Collector collector(receiver, to_name, sender, from_name, size);
  if (!demand_all(collector, form, reader)) return std::nullopt;
  const Demands& found = collector.demands;
  const bool all_receive = found.receiver_from_0 && found.receiver_to_last && !found.receiver_from_1;
  const bool related = found.sender_up_to_receiver || found.sender_below_receiver;

  if (form.pattern == "broadcast") {
    if (form.names.size() != 1 || !sender.is_number() || !all_receive) return std::nullopt;
    if (sender.constant < 0 || sender.constant >= size) return std::nullopt;
    return CollectiveForm{Collective::broadcast, static_cast<int>(sender.constant)};
  }
  if (form.names.size() != 2 || from_name < 0 || from_name == to_name) return std::nullopt;
  const bool all_send = found.sender_from_0 && found.sender_to_last;
  if (form.pattern == "all_reduce" && all_receive && all_send && !related)
    return CollectiveForm{Collective::all_reduce};
  if (form.pattern == "all_gather" && all_receive && all_send && !related)
    return CollectiveForm{Collective::all_gather};
  if (form.pattern == "all_to_all" && all_receive && all_send && !related)
    return CollectiveForm{Collective::all_to_all};
  // What lies between 0 and the receiver needs no end of its own, and neither has a receiver above a sender
  // that begins at 0.
  if (!found.sender_from_0 || !found.receiver_to_last) return std::nullopt;
  if (form.pattern == "scan" && found.sender_up_to_receiver && !found.sender_below_receiver &&
      !found.receiver_from_1)
    return CollectiveForm{Collective::scan};
  if (form.pattern == "exclusive_scan" && found.sender_below_receiver)
    return CollectiveForm{Collective::exclusive_scan};
  return std::nullopt;
}

}  // namespace kanor::rt::plan
