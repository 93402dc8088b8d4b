// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/polynomial.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace kanor::plan {
namespace {

using sema::Operation;
using sema::Symbolic;

std::string_view operation_name(Operation operation) {
  switch (operation) {
    case Operation::divide:
      return "/";
    case Operation::remainder:
      return "%";
    case Operation::bit_xor:
      return "^";
    case Operation::bit_and:
      return "&";
    case Operation::bit_or:
      return "|";
    case Operation::shift_left:
      return "<<";
    case Operation::shift_right:
      return ">>";
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::negate:
      break;
  }
  throw std::logic_error("an operation of polynomials");
}

}  // namespace

Polynomial::Polynomial(std::int64_t constant) { add({}, constant); }

Polynomial Polynomial::atom(std::string key) {
  Polynomial made;
  made.add({std::move(key)}, 1);
  return made;
}

void Polynomial::add(const Monomial& monomial, std::int64_t factor) {
  std::int64_t& sum = terms_[monomial];
  if (__builtin_add_overflow(sum, factor, &sum)) valid_ = false;
  if (sum == 0) terms_.erase(monomial);
}

Polynomial Polynomial::operator+(const Polynomial& other) const {
  Polynomial sum = *this;
  sum.valid_ = valid_ && other.valid_;
  for (const auto& [monomial, factor] : other.terms_) sum.add(monomial, factor);
  return sum;
}

Polynomial Polynomial::operator-(const Polynomial& other) const { return *this + other * Polynomial(-1); }

Polynomial Polynomial::operator*(const Polynomial& other) const {
  Polynomial product;
  product.valid_ = valid_ && other.valid_;
  for (const auto& [left, a] : terms_)
    for (const auto& [right, b] : other.terms_) {
      Monomial both = left;
      both.insert(both.end(), right.begin(), right.end());
      std::sort(both.begin(), both.end());
      std::int64_t factor = 0;
      if (__builtin_mul_overflow(a, b, &factor)) product.valid_ = false;
      product.add(both, factor);
    }
  return product;
}

std::optional<std::int64_t> Polynomial::constant() const {
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_.begin()->first.empty()) return terms_.begin()->second;
  return std::nullopt;
}

std::int64_t Polynomial::constant_term() const {
  const auto found = terms_.find({});
  return found == terms_.end() ? 0 : found->second;
}

std::optional<Polynomial> Polynomial::coefficient(const std::string& key) const {
  Polynomial result;
  for (const auto& [monomial, factor] : terms_) {
    const auto count = std::count(monomial.begin(), monomial.end(), key);
    if (count == 0) continue;
    if (count > 1) return std::nullopt;
    Monomial rest = monomial;
    rest.erase(std::find(rest.begin(), rest.end(), key));
    result.add(rest, factor);
  }
  return result;
}

int Polynomial::sign(const std::string& key) const {
  const auto factor = coefficient(key);
  if (factor == Polynomial(1)) return 1;
  return factor == Polynomial(-1) ? -1 : 0;
}

Polynomial Polynomial::without(const std::string& key) const {
  Polynomial rest;
  rest.valid_ = valid_;
  for (const auto& [monomial, factor] : terms_)
    if (std::find(monomial.begin(), monomial.end(), key) == monomial.end()) rest.add(monomial, factor);
  return rest;
}

bool Polynomial::mentions(const std::string& key) const {
  return std::any_of(terms_.begin(), terms_.end(), [&](const auto& term) {
    return std::find(term.first.begin(), term.first.end(), key) != term.first.end();
  });
}

std::optional<std::string> Polynomial::single_atom() const {
  if (terms_.size() != 1 || terms_.begin()->second != 1 || terms_.begin()->first.size() != 1)
    return std::nullopt;
  return terms_.begin()->first.front();
}

std::string Polynomial::text() const {
  std::string text;
  for (const auto& [monomial, factor] : terms_) {
    text += (text.empty() ? "" : " + ") + std::to_string(factor);
    for (const auto& key : monomial) text += "*" + key;
  }
  return text.empty() ? "0" : text;
}

std::string name_key(int name) { return "n" + std::to_string(name); }

std::optional<Polynomial> Algebra::polynomial(const Symbolic& expression) {
  switch (expression.kind) {
    case Symbolic::Kind::integer:
      return Polynomial(expression.value);
    case Symbolic::Kind::name:
      return Polynomial::atom(name_key(static_cast<int>(expression.value)));
    case Symbolic::Kind::leaf: {
      const auto& leaf = statement_.leaves.at(static_cast<std::size_t>(expression.value));
      if (!leaf.meaning.empty()) return polynomial(leaf.meaning.front());
      return Polynomial::atom("l" + std::to_string(expression.value));
    }
    case Symbolic::Kind::team_size:
      return Polynomial::atom(team_size_key);
    case Symbolic::Kind::operation:
      return operation(expression);
    case Symbolic::Kind::grid_rank:
    case Symbolic::Kind::grid_neighbor:
    case Symbolic::Kind::grid_coordinate: {
      std::vector<Polynomial> operands;
      for (const Symbolic& part : expression.operands) {
        const auto operand = polynomial(part);
        if (!operand) return std::nullopt;
        operands.push_back(*operand);
      }
      const bool is_neighbor = expression.is(Symbolic::Kind::grid_neighbor);
      return make_atom(is_neighbor                                      ? "neighbor"
                       : expression.is(Symbolic::Kind::grid_coordinate) ? "coordinate"
                                                                        : "at",
                       std::move(operands));
    }
    case Symbolic::Kind::opaque:
      return std::nullopt;
  }
  throw std::logic_error("unknown kind of expression");
}

std::optional<Polynomial> Algebra::operation(const Symbolic& expression) {
  std::vector<Polynomial> operands;
  for (const Symbolic& part : expression.operands) {
    const auto operand = polynomial(part);
    if (!operand) return std::nullopt;
    operands.push_back(*operand);
  }
  std::vector<std::int64_t> constants;
  for (const Polynomial& operand : operands)
    if (const auto constant = operand.constant()) constants.push_back(*constant);
  const auto op = expression.operation;
  if (constants.size() == operands.size())
    if (const auto number = sema::evaluate(op, constants)) return Polynomial(*number);
  Polynomial result;
  if (op == Operation::negate) {
    result = Polynomial(0) - operands[0];
  } else if (op == Operation::add) {
    result = operands[0] + operands[1];
  } else if (op == Operation::subtract) {
    result = operands[0] - operands[1];
  } else if (op == Operation::multiply) {
    result = operands[0] * operands[1];
  } else {
    if (op == Operation::divide && operands[1].constant() == 1) return operands[0];
    const bool commutes = op == Operation::bit_xor || op == Operation::bit_and || op == Operation::bit_or;
    if (commutes && operands[1].text() < operands[0].text()) std::swap(operands[0], operands[1]);
    result = make_atom(std::string(operation_name(op)), std::move(operands));
  }
  return result.valid() ? std::optional(result) : std::nullopt;
}

Polynomial Algebra::make_atom(const std::string& operation, std::vector<Polynomial> operands) {
  std::string key = operation + "(";
  for (const auto& operand : operands) key += operand.text() + ";";
  key += ")";
  atoms_.try_emplace(key, Atom{operation, std::move(operands)});
  return Polynomial::atom(key);
}

const Atom* Algebra::atom(const std::string& key) const {
  const auto found = atoms_.find(key);
  return found == atoms_.end() ? nullptr : &found->second;
}

std::set<int> Algebra::names(const Polynomial& polynomial) const {
  std::set<int> found;
  for (const auto& [monomial, factor] : polynomial.terms())
    for (const auto& key : monomial) {
      if (const Atom* inner = atom(key)) {
        for (const auto& operand : inner->operands) found.merge(names(operand));
      } else if (key.front() == 'n') {
        found.insert(std::stoi(key.substr(1)));
      }
    }
  return found;
}

Polynomial Algebra::substitute(const Polynomial& polynomial, const std::string& key,
                               const Polynomial& value) {
  Polynomial result;
  for (const auto& [monomial, factor] : polynomial.terms()) {
    Polynomial product(factor);
    for (const auto& part : monomial) {
      if (part == key) {
        product = product * value;
      } else if (const Atom* inner = atom(part)) {
        const Atom copy = *inner;
        std::vector<Polynomial> operands;
        for (const auto& operand : copy.operands) operands.push_back(substitute(operand, key, value));
        product = product * make_atom(copy.operation, std::move(operands));
      } else {
        product = product * Polynomial::atom(part);
      }
    }
    result = result + product;
  }
  return result;
}

Polynomial Algebra::modulo_team(const Polynomial& polynomial) const {
  Polynomial result;
  for (const auto& [monomial, factor] : polynomial.terms()) {
    if (std::find(monomial.begin(), monomial.end(), team_size_key) != monomial.end()) continue;
    Polynomial product(factor);
    for (const auto& key : monomial) {
      const Atom* inner = atom(key);
      const bool wraps = inner != nullptr && inner->operation == "%" &&
                         inner->operands[1] == Polynomial::atom(team_size_key);
      product = product * (wraps ? modulo_team(inner->operands[0]) : Polynomial::atom(key));
    }
    result = result + product;
  }
  return result;
}

bool never_negative(const Polynomial& polynomial) {
  if (!polynomial.valid()) return false;
  // Linear in the ranks, so that it is least where each is 0 or the last.
  const Polynomial last = Polynomial::atom(team_size_key) - Polynomial(1);
  Polynomial least = polynomial;
  for (const auto& key : {receiver_key, sender_key}) {
    const auto factor = least.coefficient(key);
    const auto number = factor ? factor->constant() : std::nullopt;
    if (!number) return false;
    least = least.without(key);
    if (*number < 0) least = least + last * Polynomial(*number);
  }
  const Polynomial per_rank = least.coefficient(team_size_key).value_or(Polynomial::atom(team_size_key));
  const Polynomial rest = least.without(team_size_key);
  if (!per_rank.constant() || !rest.constant()) return false;
  const std::int64_t slope = per_rank.constant_term();
  return slope >= 0 && rest.constant_term() >= -slope;
}

}  // namespace kanor::plan
