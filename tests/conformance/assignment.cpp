// RUN: %kanorc %s -o %t && %run_everywhere %t
// `<<=` is the C++ assignment of the value to the place: conversions, elements, proxies, whole arrays and vectors.
#include "check.hpp"

#include <array>
#include <bitset>
#include <complex>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace {

struct Fahrenheit {
  double degrees;
};
struct Celsius {
  double degrees = 0;
  Celsius& operator=(const Fahrenheit& other) {
    degrees = (other.degrees - 32) / 1.8;
    return *this;
  }
};

struct Flags {
  unsigned low : 3 = 0;
  unsigned high : 5 = 0;
};

enum class Colour : short { red, green = 300 };

struct Holder {
  int member = 0;
  std::array<int, 4> cells{};
  int& cell(int k) { return cells[k]; }

  void from_left(int n) {
    @communicate {
      member@(i + 1) % n <<= 10 * i@i where i in world;
      this->cells[1]@(i + 1) % n <<= 11 * i@i where i in world;
      cell(2)@(i + 1) % n <<= cell(3)@i where i in world
    }
  }
};

int everywhere = 0;

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank(), left = (me + n - 1) % n;

  {  // arithmetic conversions
    int whole = -1;
    double real = -1;
    unsigned char byte = 7;
    bool truth = false;
    float single = 0;
    long long wide = 0;
    std::complex<double> number;
    long double extended = 0;
    @communicate {
      whole@(i + 1) % n <<= -(i + 0.75)@i where i in world;
      real@(i + 1) % n <<= i@i where i in world;
      byte@(i + 1) % n <<= 300 + i@i where i in world;
      truth@(i + 1) % n <<= i + 2@i where i in world;
      single@(i + 1) % n <<= 0.1@i where i in world;
      wide@(i + 1) % n <<= -5@i where i in world;
      number@(i + 1) % n <<= 0.5 * i@i where i in world;
      extended@(i + 1) % n <<= 1.0L / 3@i where i in world
    }
    CHECK_EQ(whole, -left);
    CHECK_EQ(real, static_cast<double>(left));
    CHECK_EQ(byte, static_cast<unsigned char>(300 + left));
    CHECK_EQ(truth, true);
    CHECK_EQ(single, static_cast<float>(0.1));
    CHECK_EQ(wide, -5LL);
    CHECK_EQ(number, (std::complex<double>{0.5 * left, 0}));
    CHECK_EQ(extended, 1.0L / 3);
  }
  {  // conversions of classes
    Celsius warm;
    std::string text = "old";
    std::optional<int> maybe;
    std::variant<int, std::string> either;
    Colour colour = Colour::red;
    std::pair<long, double> wide_pair;
    @communicate {
      warm@(i + 1) % n <<= Fahrenheit{212}@i where i in world;
      text@(i + 1) % n <<= "a literal"@i where i in world;
      maybe@(i + 1) % n <<= i@i where i in world;
      either@(i + 1) % n <<= std::string("text")@i where i in world;
      colour@(i + 1) % n <<= Colour::green@i where i in world;
      wide_pair@(i + 1) % n <<= std::pair<int, float>{i, 0.5f}@i where i in world
    }
    CHECK_EQ(warm.degrees, 100.0);
    CHECK_EQ(text, "a literal");
    CHECK_EQ(maybe, std::optional<int>(left));
    CHECK_EQ(std::get<std::string>(either), "text");
    CHECK_EQ(colour, Colour::green);
    CHECK_EQ(wide_pair, (std::pair<long, double>{left, 0.5}));
  }
  {  // arrays assign element by element, and their elements convert
    int counts[5] = {1, 2, 3, 4, me}, got[5] = {};
    double reals[5] = {};
    int table[3][4], copy[3][4] = {};
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c) table[r][c] = 100 * me + 10 * r + c;
    std::array<std::array<short, 2>, 3> nested{{{1, 2}, {3, 4}, {5, static_cast<short>(me)}}}, nested_copy{};
    std::string names[2] = {"first", std::to_string(me)}, names_copy[2];
    @communicate {
      got@(i + 1) % n <<= counts@i where i in world;
      reals@(i + 1) % n <<= counts@i where i in world;
      copy@(i + 1) % n <<= table@i where i in world;
      nested_copy@(i + 1) % n <<= nested@i where i in world;
      names_copy@(i + 1) % n <<= names@i where i in world
    }
    CHECK_EQ(got[4], left);
    CHECK_EQ(got[0], 1);
    CHECK_EQ(reals[4], static_cast<double>(left));
    CHECK_EQ(copy[2][3], 100 * left + 23);
    CHECK_EQ(copy[0][0], 100 * left);
    CHECK_EQ(nested_copy[2][1], static_cast<short>(left));
    CHECK_EQ(names_copy[0], "first");
    CHECK_EQ(names_copy[1], std::to_string(left));
    // rows and elements
    @communicate {
      copy[0]@(i + 1) % n <<= table[2]@i where i in world;
      copy[1][1]@(i + 1) % n <<= table[0][3]@i where i in world;
      nested_copy[0]@(i + 1) % n <<= nested[2]@i where i in world
    }
    CHECK_EQ(copy[0][1], 100 * left + 21);
    CHECK_EQ(copy[1][1], 100 * left + 3);
    CHECK_EQ(copy[1][0], 100 * left + 10);
    CHECK_EQ(nested_copy[0], nested_copy[2]);
  }
  {  // a vector takes the sender's size
    std::vector<double> values(me * 3, 1.5), got(100, -1);
    std::vector<std::array<int, 2>> pairs(2, {me, -me}), pairs_got;
    std::vector<bool> bits(17 + me), bits_got{true};
    for (std::size_t k = 0; k < bits.size(); ++k) bits[k] = (k + me) % 3 == 0;
    @communicate {
      got@(i + 1) % n <<= values@i where i in world;
      pairs_got@(i + 1) % n <<= pairs@i where i in world;
      bits_got@(i + 1) % n <<= bits@i where i in world
    }
    CHECK_EQ(got, std::vector<double>(left * 3, 1.5));
    CHECK_EQ(pairs_got.at(1)[1], -left);
    CHECK_EQ(bits_got.size(), 17u + left);
    for (std::size_t k = 0; k < bits_got.size(); ++k) CHECK_EQ(bool(bits_got[k]), (k + left) % 3 == 0);
    const std::vector<double> none;
    @communicate { got@i <<= none@0 where i in world }
    CHECK(got.empty());
  }
  {  // elements of all kinds, and proxies
    std::vector<int> cells(n, -1);
    std::vector<bool> bits(n);
    std::bitset<8> set;
    std::map<std::string, int> table;
    std::string letters = "....";
    int raw[4] = {0, 0, 0, 0};
    int* p = raw;
    std::pair<int, double> two{0, 0};
    std::tuple<int, std::pair<int, int>> three;
    int a = 0, b = 0;
    auto& [first, second] = two;
    auto set_through = [&] {
      @communicate { b@(i + 1) % n <<= i + 3@i where i in world }
    };
    @communicate {
      cells[i]@j <<= 7 * i@i where i, j in world;
      bits[i]@j <<= i % 2 == 0@i where i, j in world;
      set[3]@i <<= true@0 where i in world;
      table["key"]@(i + 1) % n <<= i@i where i in world;
      letters[1]@i <<= 'x'@0 where i in world;
      p[k]@(i + 1) % n <<= i + k@i where i in world, k in {1 ... 2};
      *p@(i + 1) % n <<= 50 + i@i where i in world;
      *(p + 3)@(i + 1) % n <<= p[0] + 9@i where i in world;
      first@(i + 1) % n <<= i@i where i in world;
      two.second@(i + 1) % n <<= 0.25@i where i in world;
      std::get<std::pair<int, int>>(three).second@(i + 1) % n <<= i@i where i in world;
      (me % 2 == 0 ? a : b)@i <<= 1@0 where i in world
    }
    for (int i = 0; i < n; ++i) {
      CHECK_EQ(cells[i], 7 * i);
      CHECK_EQ(bool(bits[i]), i % 2 == 0);
    }
    CHECK_EQ(set.to_string(), "00001000");
    CHECK_EQ(table["key"], left);
    CHECK_EQ(letters, ".x..");
    CHECK_EQ(raw[0], 50 + left);
    CHECK_EQ(raw[1], left + 1);
    CHECK_EQ(raw[2], left + 2);
    CHECK_EQ(raw[3], 9);
    CHECK_EQ(first, left);
    CHECK_EQ(second, 0.25);
    CHECK_EQ(std::get<1>(three).second, left);
    CHECK_EQ(a + b, 1);
    set_through();
    CHECK_EQ(b, left + 3);
  }
  {  // a bit-field is a value; as a place kanorc refuses it
    Flags flags;
    flags.low = me % 8;
    int plain = 0;
    @communicate { plain@(i + 1) % n <<= flags.low@i where i in world }
    CHECK_EQ(plain, left % 8);
  }
  {  // members
    Holder holder;
    holder.cells[3] = 1000 + me;
    holder.from_left(n);
    CHECK_EQ(holder.member, 10 * left);
    CHECK_EQ(holder.cells, (std::array<int, 4>{0, 11 * left, 1000 + left, 1000 + me}));
  }
  {  // self sends, from const and temporary values
    const int fixed = 5 + me;
    int x = 0, y = 0;
    @communicate { x@i <<= fixed@i where i in world; y@i <<= std::max(fixed, 2)@i where i in world; everywhere@i <<= 3@i where i in world }
    CHECK_EQ(x, 5 + me);
    CHECK_EQ(y, 5 + me);
    CHECK_EQ(everywhere, 3);
  }
  return check::finish("assignment");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
