#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# slurm.sh PROGRAM ENDING: what PROGRAM prints under srun, sorted, and how jobs of ENDING end.
program=$1 ending=$2
start() { srun --quiet --nodes=2 "$@" "$program" 2>&1 </dev/null | sort; }
alone() { srun --quiet --nodes=1 --ntasks=3 "$program" 2>&1 </dev/null | sed '/^rank [^0]/d; s/ of .* on .*//' | sort | uniq -c; }

echo '== pmi2'
start --ntasks-per-node=2 --mpi=pmi2
echo '== pmi2, thread ranks'
KANOR_THREADS=2 start --ntasks-per-node=1 --mpi=pmi2
echo '== pmix'
start --ntasks-per-node=2 --mpi=pmix
echo '== none'
alone
echo '== none, on purpose'
KANOR_RANKS=1 alone
for mpi in pmi2 pmix; do
  for how in throw kill; do
    echo "== $mpi, $how"
    timeout 20 srun --nodes=2 --ntasks-per-node=2 "--mpi=$mpi" "$ending" "$how" >"$program.out" 2>&1 </dev/null
    status=$?
    grep '^kanor: ' "$program.out" | grep -v 'aborted'
    # The status of a job that Slurm ends is that of the tasks that it kills.
    [ $status -ne 0 ] && [ $status -ne 124 ] && status=1
    echo "status $status"
  done
done
echo '== nothing is left'
for host in a b; do "$BED_RSH" "$host" "pgrep -a '$(basename "$ending" | cut -c1-15)'; ls /dev/shm"; done
