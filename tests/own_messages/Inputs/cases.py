# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes an MPI program for each case, the same exchange with something else beside it, and prints what kanorc explains.

    cases.py COMMAND... FOLDER
"""

import subprocess
import sys

EXCHANGE = """
static void exchange(int rank, int size) {
  double out[1000], in[1000];
  for (int i = 0; i < 1000; ++i) out[i] = rank;
  MPI_Send(out, 1000, MPI_DOUBLE, (rank + 1) %% size, 1, MPI_COMM_WORLD);
  MPI_Recv(in, 1000, MPI_DOUBLE, (rank + size - 1) %% size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (in[0] < 0) MPI_Abort(MPI_COMM_WORLD, 1);
}
static void other(int tag, MPI_Comm comm, MPI_Request* open) {
  double one;
  %s
}
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Request open = MPI_REQUEST_NULL;
  exchange(0, 1);
  other(argc, MPI_COMM_WORLD, &open);
  MPI_Finalize();
}
"""
RECEIVE = "MPI_Recv(&one, 1, MPI_DOUBLE, 0, %s, %s, MPI_STATUS_IGNORE);"
CASES = {
    "alone": "",
    "any_tag": RECEIVE % ("MPI_ANY_TAG", "MPI_COMM_WORLD"),
    "cancels": "MPI_Cancel(open);",
    "defines": "",
    "frees_requests": "MPI_Request_free(open);",
    "names_symbol": "",
    "opens_libraries": 'dlopen("x", 1);',
    "other_tag": RECEIVE % ("2", "MPI_COMM_WORLD"),
    "passes_itself": "double* p = 0; OPI_Give(&p, 1, MPI_DOUBLE, 0, 3, comm);",
    "persistent": "MPI_Recv_init(&one, 1, MPI_DOUBLE, 0, tag, comm, open);",
    "pointer_to_send":
        "int (*f)(const void*, int, MPI_Datatype, int, int, MPI_Comm) = MPI_Send; f(&one, 1, MPI_DOUBLE, 0, 2, comm);",
    "profiling": "P" + RECEIVE % ("1", "comm"),
    "sendrecv": "double two; MPI_Sendrecv(&one, 1, MPI_DOUBLE, 0, 2, &two, 1, MPI_DOUBLE, 0, 1, comm, MPI_STATUS_IGNORE);",
    "symbolic_tag": RECEIVE % ("tag + 1", "MPI_COMM_WORLD"),
    "symbolic_tag_alike": "double in[1000]; MPI_Recv(in, 1000, MPI_DOUBLE, 0, tag, comm, MPI_STATUS_IGNORE); one = in[1];",
    "threads": "pthread_t thread; pthread_create(&thread, 0, 0, 0);",
    "two_communicators": RECEIVE % ("1", "MPI_COMM_SELF"),
    "unknown_communicator": RECEIVE % ("1", "comm"),
}
BEFORE = {
    "names_symbol": 'static double all[1000];\nextern double same[1000] __attribute__((alias("all")));\n',
    "defines": "int MPI_Send(const void* p, int n, MPI_Datatype t, int r, int g, MPI_Comm c) { return PMPI_Send(p, n, t, r, g, c); }\n",
    "passes_itself": "#include <kanor/opi.h>\n",
}
*command, folder = sys.argv[1:]
for name, text in CASES.items():
    path = f"{folder}/{name}.c"
    with open(path, "w", encoding="utf-8") as file:
        file.write("#include <mpi.h>\n#include <dlfcn.h>\n#include <pthread.h>\n" + BEFORE.get(name, "") + EXCHANGE % text)
    shown = subprocess.run(command + [path], capture_output=True, text=True, check=True)
    lines = [one for one in shown.stdout.splitlines() if "remark: 'MPI_Send' " in one]
    print(name + ":", lines[0].split("remark: ")[1] if lines else "nothing: " + shown.stderr)
