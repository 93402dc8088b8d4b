// RUN: %kanorc --dump=facts %s | grep -E '^      (place|value|fold) ' | paste - - - | %FileCheck --match-full-lines %s
// RUN: %kanorc --dump=sema %s | %FileCheck --check-prefix=SEMA %s
// How each kind of type travels and arrives: as its bytes, as a sequence of elements, in parts, or as an address.
#include <kanor/kanor.hpp>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

enum class Colour { red };
struct Flat {
  int number;
  char letters[3];
};
struct Named {
  std::string name;
  std::vector<int> numbers;
};
class Serialised {
 public:
  template <class Archive>
  void serialize(Archive& archive) {
    archive(text_);
  }

 private:
  std::string text_;
};
struct [[kanor::same_address_space]] Near {
  std::shared_ptr<int> number;
};

void types(Colour colour, Flat flat, Named named, Serialised serialised, Near near) {
  @communicate { colour@0 <<= colour@1 }
  // CHECK: place Colour modifiable value Colour flat fold whole
  @communicate { flat@0 <<= flat@1 }
  // CHECK-NEXT: place Flat modifiable value Flat flat fold whole
  @communicate { named@0 <<= named@1 }
  // CHECK-NEXT: place Named modifiable value Named structural fold whole
  @communicate { serialised@0 <<= serialised@1 }
  // CHECK-NEXT: place Serialised modifiable value Serialised structural fold whole
  @communicate { near@0 <<= near@1 }
  // CHECK-NEXT: place Near modifiable value Near same address space fold whole
}

void library(std::string text, std::vector<double> list, std::vector<bool> bits, std::vector<std::string> words, std::array<float, 3> row, std::pair<int, char> pair,
             std::tuple<int, std::string> tuple, std::optional<int> maybe, std::variant<int, std::string> either, std::map<int, double> map, std::set<std::string> set) {
  @communicate { text@0 <<= text@1 }
  // CHECK-NEXT: place std::string modifiable value std::string contiguous fold whole
  @communicate { list@0 <<= list@1 }
  // CHECK-NEXT: place std::vector<double> modifiable value std::vector<double> contiguous fold whole
  @communicate { bits@0 <<= bits@1; bits[2]@1 <<= bits[3]@0 }
  // CHECK-NEXT: place std::vector<bool> modifiable value std::vector<bool> contiguous fold whole
  // CHECK-NEXT: place std::vector<bool>::reference proxy value bool flat fold whole
  @communicate { words@0 <<= words@1 }
  // CHECK-NEXT: place std::vector<std::string> modifiable value std::vector<std::string> structural fold whole
  @communicate { row@0 <<= row@1 }
  // CHECK-NEXT: place std::array<float, 3> modifiable value std::array<float, 3> flat fold whole
  @communicate { pair@0 <<= pair@1 }
  // CHECK-NEXT: place std::pair<int, char> modifiable value std::pair<int, char> structural fold whole
  @communicate { tuple@0 <<= tuple@1 }
  // CHECK-NEXT: place std::tuple<int, std::string> modifiable value std::tuple<int, std::string> structural fold whole
  @communicate { maybe@0 <<= maybe@1 }
  // CHECK-NEXT: place std::optional<int> modifiable value std::optional<int> flat fold whole
  @communicate { either@0 <<= either@1 }
  // CHECK-NEXT: place std::variant<int, std::string> modifiable value std::variant<int, std::string> structural fold whole
  @communicate { map@0 <<= map@1 }
  // CHECK-NEXT: place std::map<int, double> modifiable value std::map<int, double> structural fold whole
  @communicate { set@0 <<= set@1 }
  // CHECK-NEXT: place std::set<std::string> modifiable value std::set<std::string> structural fold whole
  kanor::buffer<double> memory;
  @communicate { memory@0 <<= memory@1; memory@2 <<= std::move(memory)@0 }
  // CHECK-NEXT: place kanor::buffer<double> modifiable value kanor::buffer<double> contiguous fold whole
  // CHECK-NEXT: place kanor::buffer<double> modifiable value kanor::buffer<double> contiguous fold whole
}

void conversions(double real, int whole, double (&grid)[2][3], int (&numbers)[4], std::vector<int> list, std::string text, int* pointer) {
  @communicate { real@0 <<= whole@1 }
  // CHECK-NEXT: place double modifiable value int flat fold whole
  @communicate { list@0 <<= numbers@1 }
  // CHECK-NEXT: place std::vector<int> modifiable value int[4] flat fold whole
  @communicate { grid@0 <<= grid@1; grid[1]@1 <<= grid[0]@0 }
  // CHECK-NEXT: place double[2][3] modifiable value double[2][3] flat fold whole
  // CHECK-NEXT: place double[3] modifiable value double[3] flat fold whole
  @communicate { pointer[2]@0 <<= *pointer@1 }
  // CHECK-NEXT: place int modifiable value int flat fold whole
  @communicate { numbers@0 << + << numbers@1 }
  // CHECK-NEXT: place int[4] modifiable value int[4] flat fold elementwise
  @communicate { list@0 << max << list@1 }
  // CHECK-NEXT: place std::vector<int> modifiable value std::vector<int> contiguous fold elementwise
  @communicate { text@0 << + << text@1 }
  // CHECK-NEXT: place std::string modifiable value std::string contiguous fold whole
  @communicate { list@0 << [](std::vector<int> a, const std::vector<int>& b) { return a.size() < b.size() ? b : a; } << list@1 }
  // CHECK-NEXT: place std::vector<int> modifiable value std::vector<int> contiguous fold whole
}
// SEMA: needs cereal

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
