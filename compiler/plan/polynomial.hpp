// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sema/symbolic.hpp"

namespace kanor::plan {

/// A sum of integer multiples of products of atoms: equal expressions have equal polynomials. Atoms are
/// names, leaves, the team's size and operations that are no sums or products, each under a key that says
/// what it is.
class Polynomial {
 public:
  using Monomial = std::vector<std::string>;  ///< atoms' keys in order; none: the constant

  Polynomial() = default;
  explicit Polynomial(std::int64_t constant);
  static Polynomial atom(std::string key);

  /// Results that overflow int64 are not valid(), nor are those computed from them.
  Polynomial operator+(const Polynomial& other) const;
  Polynomial operator-(const Polynomial& other) const;
  Polynomial operator*(const Polynomial& other) const;
  bool operator==(const Polynomial&) const = default;

  bool valid() const { return valid_; }
  const std::map<Monomial, std::int64_t>& terms() const { return terms_; }
  std::optional<std::int64_t> constant() const;
  std::int64_t constant_term() const;
  /// The factor of the atom, if it occurs in no power but the first.
  std::optional<Polynomial> coefficient(const std::string& key) const;
  /// The factor of the atom if it is 1 or -1, else 0.
  int sign(const std::string& key) const;
  /// The polynomial without the terms in which the atom occurs.
  Polynomial without(const std::string& key) const;
  bool mentions(const std::string& key) const;
  /// The atom's key, if the polynomial is a single atom.
  std::optional<std::string> single_atom() const;
  std::string text() const;

 private:
  void add(const Monomial& monomial, std::int64_t factor);

  std::map<Monomial, std::int64_t> terms_;  ///< no factor is 0
  bool valid_ = true;
};

inline const std::string team_size_key = "P";
std::string name_key(int name);

/// An operation that is no sum or product.
struct Atom {
  std::string operation;  ///< `%`, `/`, `^`, …, `neighbor`, `at`, `coordinate`
  std::vector<Polynomial> operands;
};

/// Makes polynomials of one statement's expressions, and knows their atoms.
class Algebra {
 public:
  explicit Algebra(const sema::SymbolicStatement& statement) : statement_(statement) {}

  /// The expression as a polynomial; nothing if a part is opaque or a number too large.
  std::optional<Polynomial> polynomial(const sema::Symbolic& expression);
  /// Null for names, leaves and the team's size.
  const Atom* atom(const std::string& key) const;
  /// The names in it, within atoms too.
  std::set<int> names(const Polynomial& polynomial) const;
  /// The polynomial with `value` in place of the atom `key`, within other atoms too.
  Polynomial substitute(const Polynomial& polynomial, const std::string& key, const Polynomial& value);
  /// The polynomial modulo the team's size, in its simplest form.
  Polynomial modulo_team(const Polynomial& polynomial) const;

 private:
  Polynomial make_atom(const std::string& operation, std::vector<Polynomial> operands);
  std::optional<Polynomial> operation(const sema::Symbolic& expression);

  const sema::SymbolicStatement& statement_;
  std::map<std::string, Atom> atoms_;
};

/// Returns true if it is provably at least 0 for every team of at least one rank, with any of its members as
/// `r` and `s`.
bool never_negative(const Polynomial& polynomial);
inline const std::string receiver_key = "r", sender_key = "s";

}  // namespace kanor::plan
