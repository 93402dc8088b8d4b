#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# find_libraries.sh KANOR-MPICC KANOR-MPIEXEC FOLDER links libraries.o in each way in which build systems say where
# libcounter.so, and libnames.so, which that one needs, are. No link may say anything, and the ranks must be threads.
set -e
mpicc=$1 mpiexec=$2 folder=$3
counter=$folder/counter names=$folder/names
cd "$folder"
link() {
  if ! $mpicc libraries.o "$@" -o found 2>notes || [ -s notes ]; then
    echo "$*:"
    cat notes
    exit 1
  fi
  LD_LIBRARY_PATH=$counter:$names KANOR_MODE=auto $mpiexec -n 3 ./found
}
link "$counter/libcounter.so" "-Wl,-rpath,$counter:$names"
link "$counter/libcounter.so" "-Wl,-rpath,$counter:" "-Wl,-rpath-link,$folder/none:$names"
link "$counter/libcounter.so" -Wl,-rpath "-Wl,$counter" -Wl,-rpath "-Wl,$names"
link "$counter/libcounter.so" -Xlinker -rpath -Xlinker "$names"
link -L "$counter" -L "$names" -lcounter -Wl,-rpath-link "-Wl,$names"
link "-L$counter" -l:libcounter.so -Wl,--as-needed "-Wl,-rpath-link=$names"
LIBRARY_PATH=$counter LD_RUN_PATH=$names
export LIBRARY_PATH LD_RUN_PATH
link -lcounter
