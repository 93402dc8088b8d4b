// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/mpi_choice.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <initializer_list>

namespace kanor::rt {

const MpiKind mpich{"MPICH", "libkanor_mpi_mpich.so", "libmpich-dev",
                    "MPICH's mpiexec (in Debian mpiexec.mpich)"};
const MpiKind open_mpi{"Open MPI", "libkanor_mpi_openmpi.so", "libopenmpi-dev",
                       "Open MPI's mpirun (in Debian mpirun.openmpi)"};

MpiLauncher mpi_launcher() {
  const auto first_set = [](std::initializer_list<const char*> names) {
    for (const char* const name : names)
      if (std::getenv(name)) return std::string_view(name);
    return std::string_view();
  };
  if (const auto variable = first_set({"OMPI_COMM_WORLD_RANK"}); !variable.empty())
    return {"Open MPI's mpirun", variable, {&open_mpi}};
  // Slurm speaks PMI and PMIx itself, to any MPI. Hydra may stand on Slurm, but only hydra says how many
  // processes the host has.
  const bool slurm = std::getenv("SLURM_PROCID") && !std::getenv("MPI_LOCALNRANKS");
  if (const auto variable = first_set({"PMI_RANK", "PMI_FD"}); !variable.empty()) {
    if (slurm) return {"Slurm's srun", variable, {&mpich, &open_mpi}};
    return {"MPICH's mpiexec", variable, {&mpich}};
  }
  if (const auto variable = first_set({"PMIX_RANK"}); !variable.empty())
    return {slurm ? "Slurm's srun" : "a PMIx launcher", variable, {&open_mpi, &mpich}};
  return {};
}

const MpiKind* linked_mpi() {
  // Programs for Open MPI take this variable's address for MPI_COMM_WORLD.
  if (::dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world")) return &open_mpi;
  return ::dlsym(RTLD_DEFAULT, "PMPI_Comm_rank") ? &mpich : nullptr;
}

}  // namespace kanor::rt
