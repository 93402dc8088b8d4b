// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of aggregates that describe them, as kanorc has classes do.
#include "kanor/abi/parts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kanor/abi/cereal.hpp"

namespace kanor::rt {
namespace {

struct Named {
  std::string name;
};
struct Flags : Named {
  template <class Self, class Part>
  static auto kanor_parts(Self& self, Part part) {
    return part.template bases<Named>(self)
        .bits([&] { return self.low; }, [&](auto bits) { self.low = bits & 7u; })
        .member(self.numbers);
  }
  void kanor_has_parts() {}
  unsigned low : 3;
  std::vector<int> numbers;
};
/// Says nothing of what it adds.
struct More : Flags {
  int more = 0;
};

static_assert(abi::describes_parts<Flags> && !abi::describes_parts<More> && !abi::describes_parts<Named>);
static_assert(abi::has_parts<Flags> && abi::has_parts<Named> && !abi::has_parts<More>);
static_assert(abi::archived_as<Flags> == abi::form::fields && abi::archived_as<More> == abi::form::none);

/// Notes what kind of part comes by, and changes what it can.
struct Changer {
  std::string& seen;
  void operator()(Named& part) const {
    seen += "base ";
    part.name = "changed";
  }
  void operator()(unsigned& part) const {
    seen += "bits ";
    part = 5;
  }
  void operator()(std::vector<int>& part) const {
    seen += "vector ";
    part = {1, 2};
  }
};

TEST(Parts, ComeInTheirOrderAndTakeChangesOver) {
  Flags flags{{"before"}, 1, {}};
  std::string seen;
  abi::each_part(flags, Changer{seen});
  EXPECT_EQ(seen, "base bits vector ");
  EXPECT_EQ(flags.name, "changed");
  EXPECT_EQ(flags.low, 5u);
  EXPECT_EQ(flags.numbers.size(), 2u);
}

TEST(Parts, ABitFieldIsNoObject) {
  Flags flags{{"before"}, 1, {}};
  std::string seen;
  abi::each_object(flags, Changer{seen});
  EXPECT_EQ(seen, "base vector ");
  EXPECT_EQ(flags.low, 1u);
}

TEST(Parts, AreFoundWithoutHelpToo) {
  struct Plain {
    Named base;
    std::vector<int> numbers;
  } plain;
  std::string seen;
  abi::each_part(plain, Changer{seen});
  EXPECT_EQ(seen, "base vector ");
  EXPECT_EQ(plain.base.name, "changed");
}

TEST(Parts, OfConstantsAreCopies) {
  const Flags flags{{"before"}, 1, {4}};
  std::size_t bytes = 0;
  abi::each_part(flags, [&](const auto& part) { bytes += sizeof(part); });
  EXPECT_EQ(bytes, sizeof(Named) + sizeof(unsigned) + sizeof(std::vector<int>));
}

}  // namespace
}  // namespace kanor::rt
