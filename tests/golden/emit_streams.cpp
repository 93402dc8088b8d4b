// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: %FileCheck --strict-whitespace --match-full-lines %s < %t.cpp
// Where a rank has a standard stream of its own, and where the name of the program's one stays.
#include <iostream>
#include <sstream>

// CHECK:#define SAY ::kanor::abi::own_stream(std::cout) << "said "
#define SAY std::cout << "said "

// CHECK:thread_local std::ostream& everywhere = ::kanor::abi::own_stream(std::clog);
std::ostream& everywhere = std::clog;

template <std::ostream& to>
void write(int value) {
  to << value;
}

// CHECK:void show(const T& value, std::ostream& to = ::kanor::abi::own_stream(std :: cerr)) {
template <class T>
void show(const T& value, std::ostream& to = std :: cerr) {
  // CHECK:  using std::cout;
  using std::cout;
  // CHECK:  ::kanor::abi::own_stream(cout) << value, to << value;
  cout << value, to << value;
}

struct cout {};

int main() {
  // CHECK:  decltype(std::cout)& same = ::kanor::abi::own_stream(::std::cout);
  decltype(std::cout)& same = ::std::cout;
  // CHECK:  static_assert(sizeof(std::cout) != 0);
  static_assert(sizeof(std::cout) != 0);
  // CHECK:  write<std::cout>(1);
  write<std::cout>(1);
  // CHECK:  std::ostringstream text;
  std::ostringstream text;
  // CHECK:  text << "std::cout";  // std::cout
  text << "std::cout";  // std::cout
  SAY << text.str();
  int number = 0;
  // CHECK:  if (::kanor::abi::own_stream(std::cin) >> number) show(number), same << sizeof(cout);
  if (std::cin >> number) show(number), same << sizeof(cout);
  // CHECK:  const auto later = [&out = ::kanor::abi::own_stream(std::cout)] { out << 1; };
  const auto later = [&out = std::cout] { out << 1; };
  later();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
