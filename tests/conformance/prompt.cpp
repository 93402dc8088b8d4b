// RUN: %kanorc %s -o %t
// RUN: %python %S/Inputs/prompt.py %kanorrun -n 3 --mode threads %t scanf | %FileCheck %s
// RUN: %python %S/Inputs/prompt.py %kanorrun -n 3 --mode processes %t fgets | %FileCheck %s
// RUN: %python %S/Inputs/prompt.py %kanorrun -n 3 --mode threads %t cin | %FileCheck %s
// A question without the end of a line is on the terminal before its rank waits for the answer, as in a plain program.
// CHECK: number? 42
// CHECK-NEXT: rank 0 got 42
// Other input is read as ever.
// RUN: printf '42\n7\n' > %t.in && %kanorrun -n 3 --mode threads %t again < %t.in | %FileCheck %s --check-prefix=FILE
// RUN: %kanorrun -n 3 --mode processes %t again < %t.in | %FileCheck %s --check-prefix=FILE
// FILE: number? rank 0 got 42
// FILE: then 42, 7 and -1
#include <kanor/kanor.hpp>

#include <cstdio>
#include <iostream>
#include <string>

int main(int, char** argv) {
  const std::string how = argv[1];
  int asked = 0, told = 0;
  if (kanor::world.rank() == 0) {
    std::printf("number? ");
    char line[80] = "";
    if (how == "fgets" && std::fgets(line, sizeof line, stdin)) asked = std::stoi(line);
    if (how == "cin") std::cin >> asked;
    if (asked == 0 && std::scanf("%d", &asked) != 1) return 1;
    std::printf("rank %d got %d\n", kanor::world.rank(), asked);
  }
  @communicate { told@i <<= asked@0 where i in world }
  if (how == "again" && kanor::world.rank() == 0) {
    int first = 0, second = 0;
    std::rewind(stdin);
    if (std::fscanf(stdin, "%d", &first) != 1) return 1;
    std::cin >> second;
    std::getchar();
    std::printf("then %d, %d and %d\n", first, second, std::getchar());
  }
  return told == 42 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
