// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace kanor::rt {
namespace {

using Lines = std::vector<std::string>;

TEST(Settings, AMisspeltVariableIsNamedWithTheNearest) {
  EXPECT_EQ(unheeded_settings(false), Lines());
  ::setenv("KANOR_RANK", "4", 1);
  EXPECT_EQ(unheeded_settings(false),
            Lines{"KANOR_RANK is not a variable of Kanor; did you mean KANOR_RANKS?"});
  ::unsetenv("KANOR_RANK");
  ::setenv("KANOR_HANGSECOND", "4", 1);
  EXPECT_EQ(unheeded_settings(false),
            Lines{"KANOR_HANGSECOND is not a variable of Kanor; did you mean KANOR_HANG_SECONDS?"});
  ::unsetenv("KANOR_HANGSECOND");
  ::setenv("KANOR_NUMBER_OF_CORES", "4", 1);
  EXPECT_EQ(unheeded_settings(false), Lines{"KANOR_NUMBER_OF_CORES is not a variable of Kanor"});
  ::unsetenv("KANOR_NUMBER_OF_CORES");
}

TEST(Settings, TheLauncherSaysHowManyRanksThereAre) {
  ::setenv("KANOR_RANKS", "4", 1);
  EXPECT_EQ(unheeded_settings(false), Lines());
  const Lines lines = unheeded_settings(true);
  ::unsetenv("KANOR_RANKS");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].starts_with("KANOR_RANKS=4 has no effect under an MPI launcher")) << lines[0];
}

TEST(Settings, TasksOfSlurmThatAreJobsOfTheirOwnAreToldOnce) {
  ::setenv("SLURM_STEP_NUM_TASKS", "4", 1);
  ::setenv("SLURM_PROCID", "0", 1);
  const Lines lines = unheeded_settings(false);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].starts_with("srun has started 4 tasks without MPI")) << lines[0];
  EXPECT_EQ(unheeded_settings(true), Lines());
  ::setenv("KANOR_RANKS", "2", 1);
  EXPECT_EQ(unheeded_settings(false), Lines());
  ::unsetenv("KANOR_RANKS");
  ::setenv("SLURM_PROCID", "1", 1);
  EXPECT_EQ(unheeded_settings(false), Lines());
  ::setenv("SLURM_PROCID", "0", 1);
  ::setenv("SLURM_STEP_NUM_TASKS", "1", 1);
  EXPECT_EQ(unheeded_settings(false), Lines());
  ::unsetenv("SLURM_PROCID");
  ::unsetenv("SLURM_STEP_NUM_TASKS");
}

}  // namespace
}  // namespace kanor::rt
