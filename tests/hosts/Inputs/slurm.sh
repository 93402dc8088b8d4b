#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# slurm.sh PROGRAM ENDING: what PROGRAM prints under srun, sorted, and how jobs of ENDING end.
program=$1 ending=$2
export BED_JOB=$$
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
# Other tests run on these hosts meanwhile, whose files nobody uses for a moment.
tools=$(dirname "$0")/../../tools
for host in a b; do
  for _ in {1..20}; do
    left=$("$BED_RSH" "$host" "python3 '$tools/check_failure.py' --left '$(realpath "$ending")' BED_JOB=$$")
    [ -z "$left" ] && break
    sleep 0.1
  done
  [ -z "$left" ] || echo "$left"
done
