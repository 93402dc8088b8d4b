// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/mpi_choice.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace kanor::rt {
namespace {

/// Every variable that launchers set and the choice may look at.
constexpr const char* all[] = {"OMPI_COMM_WORLD_RANK",
                               "OMPI_COMM_WORLD_SIZE",
                               "PMIX_RANK",
                               "PMIX_NAMESPACE",
                               "PMI_RANK",
                               "PMI_FD",
                               "PMI_SIZE",
                               "MPI_LOCALNRANKS",
                               "SLURM_PROCID",
                               "SLURM_JOB_ID"};

MpiLauncher started_with(const std::vector<const char*>& variables) {
  for (const char* const name : all) ::unsetenv(name);
  for (const char* const name : variables) ::setenv(name, "1", 1);
  const MpiLauncher launcher = mpi_launcher();
  for (const char* const name : all) ::unsetenv(name);
  return launcher;
}

using Kinds = std::vector<const MpiKind*>;

TEST(MpiChoice, NoLauncherWithoutItsVariables) {
  EXPECT_FALSE(started_with({}).started_this());
  // A shell in an allocation of Slurm's, or a job script.
  EXPECT_FALSE(started_with({"SLURM_PROCID", "SLURM_JOB_ID"}).started_this());
}

TEST(MpiChoice, EachLauncherMeansItsOwn) {
  const MpiLauncher hydra = started_with({"PMI_RANK", "PMI_FD", "PMI_SIZE", "MPI_LOCALNRANKS"});
  EXPECT_EQ(hydra.name, "MPICH's mpiexec");
  EXPECT_EQ(hydra.variable, "PMI_RANK");
  EXPECT_EQ(hydra.may, Kinds{&mpich});
  EXPECT_EQ(started_with({"PMI_FD"}).may, Kinds{&mpich});
  const MpiLauncher mpirun =
      started_with({"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMIX_NAMESPACE"});
  EXPECT_EQ(mpirun.name, "Open MPI's mpirun");
  EXPECT_EQ(mpirun.variable, "OMPI_COMM_WORLD_RANK");
  EXPECT_EQ(mpirun.may, Kinds{&open_mpi});
}

TEST(MpiChoice, SlurmServesEitherTheLikelierFirst) {
  const MpiLauncher pmi2 = started_with({"PMI_RANK", "PMI_FD", "PMI_SIZE", "SLURM_PROCID"});
  EXPECT_EQ(pmi2.name, "Slurm's srun");
  EXPECT_EQ(pmi2.may, (Kinds{&mpich, &open_mpi}));
  const MpiLauncher pmix = started_with({"PMIX_RANK", "PMIX_NAMESPACE", "SLURM_PROCID"});
  EXPECT_EQ(pmix.name, "Slurm's srun");
  EXPECT_EQ(pmix.may, (Kinds{&open_mpi, &mpich}));
  EXPECT_EQ(started_with({"PMIX_RANK"}).may, (Kinds{&open_mpi, &mpich}));
}

TEST(MpiChoice, LaunchersInAnAllocationOfSlurmsStayWhatTheyAre) {
  EXPECT_EQ(started_with({"PMI_RANK", "MPI_LOCALNRANKS", "SLURM_PROCID"}).may, Kinds{&mpich});
  EXPECT_EQ(started_with({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"}).may, Kinds{&open_mpi});
}

TEST(MpiChoice, ProgramWithoutMpiIsLinkedWithNone) { EXPECT_EQ(linked_mpi(), nullptr); }

}  // namespace
}  // namespace kanor::rt
