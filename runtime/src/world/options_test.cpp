// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/options.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "memory/segment.hpp"
#include "platform/machine.hpp"

namespace kanor::rt {
namespace {

/// A variable that is set for one test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

TEST(Options, HaveDefaults) {
  Options options;
  std::string error;
  ASSERT_TRUE(read_options(options, error)) << error;
  EXPECT_EQ(options.ranks, usable_cores());
  EXPECT_EQ(options.mode, Mode::automatic);
  EXPECT_EQ(options.threads_per_process, 1);
  EXPECT_EQ(options.inflight_bytes, std::size_t{64} << 20);
  EXPECT_FALSE(options.switches.statistics);
  EXPECT_FALSE(options.switches.check);
  EXPECT_EQ(options.hang_seconds, 10);
  EXPECT_EQ(options.host_seconds, 60);
}

TEST(Options, NameATuningFileThatIsNotUsed) {
  Options options;
  std::string error;
  const Variable none("KANOR_TUNING", "none");
  ASSERT_TRUE(read_options(options, error)) << error;
  EXPECT_EQ(options.tuning_notice, "");
  EXPECT_EQ(options.switches.tuning, Tuning());
  const Variable missing("KANOR_TUNING", "/there/is/no/such/file");
  ASSERT_TRUE(read_options(options, error)) << error;
  EXPECT_NE(options.tuning_notice.find("/there/is/no/such/file"), std::string::npos);
}

TEST(Options, AreReadFromTheEnvironment) {
  const Variable ranks("KANOR_RANKS", "7"), mode("KANOR_MODE", "processes"), threads("KANOR_THREADS", "3"),
      inflight("KANOR_INFLIGHT", "2k"), delta("KANOR_DELTA", "4K"), memory("KANOR_MEMORY", "1G"),
      statistics("KANOR_STATS", "1"), check("KANOR_CHECK", "1"), hang("KANOR_HANG_SECONDS", "3"),
      host("KANOR_HOST_SECONDS", "0");
  Options options;
  std::string error;
  ASSERT_TRUE(read_options(options, error)) << error;
  EXPECT_TRUE(options.switches.check);
  EXPECT_FALSE(options.switches.plan || options.switches.cache || options.switches.patterns)
      << "checked ranks go through all bindings";
  EXPECT_EQ(options.hang_seconds, 3);
  EXPECT_EQ(options.host_seconds, 0);
  EXPECT_EQ(options.switches.increment_bytes, 4096u);
  EXPECT_EQ(options.ranks, 7);
  EXPECT_EQ(options.mode, Mode::processes);
  EXPECT_EQ(options.threads_per_process, 3);
  EXPECT_EQ(options.inflight_bytes, 2048u);
  EXPECT_EQ(options.memory_bytes, std::size_t{1} << 30);
  EXPECT_TRUE(options.switches.statistics);
}

TEST(Options, DeltasFollowPagesOrHaveAFixedSize) {
  const auto read = [](const char* text, bool pages, std::size_t bytes) {
    const Variable delta("KANOR_DELTA", text);
    Options options;
    std::string error;
    EXPECT_TRUE(read_options(options, error)) << error;
    EXPECT_EQ(options.switches.pages, pages) << text;
    EXPECT_EQ(options.switches.increment_bytes, bytes) << text;
  };
  read("1", false, 1);
  read("pages", true, 0);
  read("pages,16K", true, 16384);
  for (const char* bad : {"", "0", "page", "pages,", "pages,0", "pages16K", "16K,pages", "pages,pages"}) {
    const Variable delta("KANOR_DELTA", bad);
    Options options;
    std::string error;
    EXPECT_FALSE(read_options(options, error)) << bad;
    EXPECT_EQ(error, std::string("KANOR_DELTA is '") + bad +
                         "': expected a number of bytes such as 65536, 512K, 64M or 2G, or pages, or both: "
                         "pages,64K");
  }
}

TEST(Options, SwitchOptimisationsOff) {
  Options options;
  std::string error;
  ASSERT_TRUE(read_options(options, error)) << error;
  EXPECT_FALSE(options.switches.reference);
  EXPECT_TRUE(options.switches.plan && options.switches.cache && options.switches.patterns &&
              options.switches.inline_messages && options.switches.sharing && options.switches.learning &&
              options.switches.repeat && options.switches.node_memory && options.switches.huge_pages &&
              options.switches.binding && options.switches.delta);
  {
    const Variable disable("KANOR_DISABLE", "learning,repeat");
    ASSERT_TRUE(read_options(options, error)) << error;
    EXPECT_FALSE(options.switches.learning || options.switches.repeat);
    EXPECT_TRUE(options.switches.sharing);
  }
  {
    const Variable disable("KANOR_DISABLE", "patterns,plan");
    ASSERT_TRUE(read_options(options, error)) << error;
    EXPECT_FALSE(options.switches.plan || options.switches.patterns);
    EXPECT_TRUE(options.switches.cache && options.switches.inline_messages && options.switches.sharing);
  }
  {
    const Variable disable("KANOR_DISABLE", "sharing,node-memory,huge-pages,binding,delta");
    ASSERT_TRUE(read_options(options, error)) << error;
    EXPECT_FALSE(options.switches.sharing || options.switches.node_memory || options.switches.huge_pages ||
                 options.switches.binding || options.switches.delta);
    EXPECT_TRUE(options.switches.plan && options.switches.inline_messages && options.switches.learning);
  }
  {
    const Variable reference("KANOR_REFERENCE", "1");
    ASSERT_TRUE(read_options(options, error)) << error;
    EXPECT_TRUE(options.switches.reference);
    EXPECT_FALSE(options.switches.plan || options.switches.cache || options.switches.patterns ||
                 options.switches.inline_messages || options.switches.sharing || options.switches.learning ||
                 options.switches.repeat || options.switches.node_memory || options.switches.yield ||
                 options.switches.huge_pages || options.switches.binding || options.switches.delta);
  }
  const Variable disable("KANOR_DISABLE", "plan,fast");
  EXPECT_FALSE(read_options(options, error));
  EXPECT_EQ(error,
            "KANOR_DISABLE is 'plan,fast': expected a comma-separated list of plan, cache, patterns, "
            "inline, sharing, learning, repeat, node-memory, yield, huge-pages, binding, delta");
}

TEST(Options, RejectWhatCannotBeMeant) {
  {
    const Variable ranks("KANOR_RANKS", "4096");  // most_ranks
    Options options;
    std::string error;
    EXPECT_TRUE(read_options(options, error)) << error;
  }
  for (const char* bad : {"0", "-1", "abc", "", "4097", "2 "}) {
    const Variable ranks("KANOR_RANKS", bad);
    Options options;
    std::string error;
    EXPECT_FALSE(read_options(options, error)) << bad;
    EXPECT_EQ(error, std::string("KANOR_RANKS is '") + bad + "': expected a whole number from 1 to 4096");
  }
  {
    const Variable never("KANOR_HANG_SECONDS", "0");
    Options options;
    std::string error;
    EXPECT_TRUE(read_options(options, error)) << error;
    EXPECT_EQ(options.hang_seconds, 0);
  }
  for (const char* name : {"KANOR_HANG_SECONDS", "KANOR_HOST_SECONDS"}) {
    for (const char* bad : {"-1", "abc", "", "1.5", "1000001"}) {
      const Variable seconds(name, bad);
      Options options;
      std::string error;
      EXPECT_FALSE(read_options(options, error)) << bad;
      EXPECT_EQ(error, std::string(name) + " is '" + bad + "': expected a whole number from 0 to 1000000");
    }
  }
  for (const char* name : {"KANOR_CHECK", "KANOR_REFERENCE", "KANOR_STATS"}) {
    Options options;
    std::string error;
    for (const char* good : {"", "0", "1"}) {
      const Variable one(name, good);
      EXPECT_TRUE(read_options(options, error)) << error;
    }
    const Variable one(name, "yes");
    EXPECT_FALSE(read_options(options, error)) << name;
    EXPECT_EQ(error, std::string(name) + " is 'yes': expected 1 or 0");
  }
}

TEST(Options, GiveLittleMemoryToValgrind) {
  Options options;
  std::string error;
  {
    const Variable preloaded("LD_PRELOAD", "/usr/libexec/valgrind/vgpreload_core-amd64-linux.so:/a.so");
    ASSERT_TRUE(read_options(options, error)) << error;
    EXPECT_EQ(options.memory_bytes, std::size_t{256} << 20);
  }
  const Variable preloaded("LD_PRELOAD", "/usr/lib/libother.so");
  ASSERT_TRUE(read_options(options, error)) << error;
  EXPECT_EQ(options.memory_bytes, 4 * physical_memory_bytes());
}

// Segment::least_bytes
TEST(Options, WantSomeMessageMemory) {
  Options options;
  std::string error;
  {
    const Variable memory("KANOR_MEMORY", "4M");
    EXPECT_TRUE(read_options(options, error)) << error;
    EXPECT_EQ(options.memory_bytes, Segment::least_bytes);
  }
  const Variable memory("KANOR_MEMORY", "4194303");
  EXPECT_FALSE(read_options(options, error));
  EXPECT_EQ(error,
            "KANOR_MEMORY is '4194303': expected a number of bytes such as 65536, 512K, 64M or 2G, at "
            "least 4194304");
}

}  // namespace
}  // namespace kanor::rt
