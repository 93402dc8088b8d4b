// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// What does not come from the rank, and yet is not known to be the same everywhere, decides about blocks.
#include <kanor/kanor.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>
#include <vector>

using kanor::world;

double elapsed();
[[kanor::uniform]] double agreed();
bool converged(const double* values, int count);
struct Settings {
  int steps = 0;
  double limit = 0;
};
Settings load(const char* path);
void read_into(Settings& settings);
struct Node {
  int weight = 0;
};

void clocks(int x) {
  const auto start = std::chrono::steady_clock::now();
  if (std::chrono::steady_clock::now() - start > std::chrono::seconds(1)) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:75: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (std::chrono::steady_clock::now() - start > std::chrono::seconds(1)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                                                          ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'std::chrono::steady_clock::now() - start > std::chrono::seconds(1)'
// CHECK-NEXT:  if (std::chrono::steady_clock::now() - start > std::chrono::seconds(1)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: nothing is known of what 'std::chrono::steady_clock::now()' gives
// CHECK-NEXT:  if (std::chrono::steady_clock::now() - start > std::chrono::seconds(1)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  if (std::time(nullptr) % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:36: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (std::time(nullptr) % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                   ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'std::time(nullptr) % 2 == 0'
// CHECK-NEXT:  if (std::time(nullptr) % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: nothing is known of what 'std::time(nullptr)' gives
// CHECK-NEXT:  if (std::time(nullptr) % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (now.tv_sec > 5) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:23: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (now.tv_sec > 5) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                      ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'now.tv_sec > 5'
// CHECK-NEXT:  if (now.tv_sec > 5) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-8]]:3: note: 'now' may be changed by this call
// CHECK-NEXT:  clock_gettime(CLOCK_MONOTONIC, &now);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-11]]:3: note: nothing is known of what 'clock_gettime(CLOCK_MONOTONIC, &now)' gives
// CHECK-NEXT:  clock_gettime(CLOCK_MONOTONIC, &now);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  while (clock() < 1000) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:26: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  while (clock() < 1000) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                         ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:10: note: which ranks come here depends on 'clock() < 1000'
// CHECK-NEXT:  while (clock() < 1000) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:         ^~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:10: note: nothing is known of what 'clock()' gives
// CHECK-NEXT:  while (clock() < 1000) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:         ^~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
}

void files(int x) {
  std::ifstream in("input");
  int count = 0;
  in >> count;
  if (count > 3) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:18: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (count > 3) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'count > 3'
// CHECK-NEXT:  if (count > 3) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-8]]:3: note: 'count' may be changed by this call
// CHECK-NEXT:  in >> count;
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-11]]:3: note: nothing is known of what 'in >> count' gives
// CHECK-NEXT:  in >> count;
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  std::string line;
  while (std::getline(in, line)) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:34: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  while (std::getline(in, line)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                 ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:10: note: which ranks come here depends on 'std::getline(in, line)'
// CHECK-NEXT:  while (std::getline(in, line)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:         ^~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-23]]:3: note: 'in' may be changed by this call
// CHECK-NEXT:  in >> count;
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-26]]:3: note: nothing is known of what 'in >> count' gives
// CHECK-NEXT:  in >> count;
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  if (in.good()) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:18: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (in.good()) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'in.good()'
// CHECK-NEXT:  if (in.good()) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-37]]:3: note: 'in' may be changed by this call
// CHECK-NEXT:  in >> count;
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-40]]:3: note: nothing is known of what 'in >> count' gives
// CHECK-NEXT:  in >> count;
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  if (std::FILE* file = std::fopen("input", "r")) {
    int number = 0;
    if (std::fscanf(file, "%d", &number) == 1) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:48: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:    if (std::fscanf(file, "%d", &number) == 1) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                               ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-6]]:18: note: which ranks come here depends on 'file'
// CHECK-NEXT:  if (std::FILE* file = std::fopen("input", "r")) {
// CHECK-NEXT:                 ^~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-9]]:25: note: 'file' was assigned 'std::fopen("input", "r")' here
// CHECK-NEXT:  if (std::FILE* file = std::fopen("input", "r")) {
// CHECK-NEXT:                        ^~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-12]]:25: note: nothing is known of what 'std::fopen("input", "r")' gives
// CHECK-NEXT:  if (std::FILE* file = std::fopen("input", "r")) {
// CHECK-NEXT:                        ^~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
    char bytes[8] = {};
    std::fread(bytes, 1, 8, file);
    if (bytes[0] == 'a') @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:26: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:    if (bytes[0] == 'a') @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                         ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-22]]:18: note: which ranks come here depends on 'file'
// CHECK-NEXT:  if (std::FILE* file = std::fopen("input", "r")) {
// CHECK-NEXT:                 ^~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-25]]:25: note: 'file' was assigned 'std::fopen("input", "r")' here
// CHECK-NEXT:  if (std::FILE* file = std::fopen("input", "r")) {
// CHECK-NEXT:                        ^~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-28]]:25: note: nothing is known of what 'std::fopen("input", "r")' gives
// CHECK-NEXT:  if (std::FILE* file = std::fopen("input", "r")) {
// CHECK-NEXT:                        ^~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  }
  int typed = 0;
  std::cin >> typed;
  for (int i = 0; i < typed; ++i) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:35: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  for (int i = 0; i < typed; ++i) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                  ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:19: note: which ranks come here depends on 'i < typed'
// CHECK-NEXT:  for (int i = 0; i < typed; ++i) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                  ^~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-8]]:3: note: 'typed' may be changed by this call
// CHECK-NEXT:  std::cin >> typed;
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-11]]:3: note: nothing is known of what 'std::cin >> typed' gives
// CHECK-NEXT:  std::cin >> typed;
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  struct stat status {};
  stat("input", &status);
  if (status.st_size > 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:27: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (status.st_size > 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                          ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'status.st_size > 0'
// CHECK-NEXT:  if (status.st_size > 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-8]]:3: note: 'status' may be changed by this call
// CHECK-NEXT:  stat("input", &status);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-11]]:3: note: nothing is known of what 'stat("input", &status)' gives
// CHECK-NEXT:  stat("input", &status);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
}

void addresses(int x, const Node& first, const Node& second) {
  if (&first < &second) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:25: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (&first < &second) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                        ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on '&first < &second'
// CHECK-NEXT:  if (&first < &second) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: '&first < &second' is an address, which is another one on each rank
// CHECK-NEXT:  if (&first < &second) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  std::set<const Node*> ordered{&first, &second};
  if ((*ordered.begin())->weight > 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:39: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if ((*ordered.begin())->weight > 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                      ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on '(*ordered.begin())->weight > 0'
// CHECK-NEXT:  if ((*ordered.begin())->weight > 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:9: note: 'ordered.begin()' is an address, which is another one on each rank
// CHECK-NEXT:  if ((*ordered.begin())->weight > 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:        ^~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  auto owner = std::make_unique<int>(3);
  if (reinterpret_cast<long>(owner.get()) % 128 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:55: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (reinterpret_cast<long>(owner.get()) % 128 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                                      ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'reinterpret_cast<long>(owner.get()) % 128 == 0'
// CHECK-NEXT:  if (reinterpret_cast<long>(owner.get()) % 128 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: 'reinterpret_cast<long>(owner.get())' is an address, which is another one on each rank
// CHECK-NEXT:  if (reinterpret_cast<long>(owner.get()) % 128 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  std::unordered_set<Node*> loose;
  for (Node* node : loose)
    if (node->weight > 0) {
      @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:7: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:      @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-5]]:9: note: which ranks come here depends on 'node->weight > 0'
// CHECK-NEXT:    if (node->weight > 0) {
// CHECK-NEXT:        ^~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-9]]:21: note: 'node' was assigned 'loose' here
// CHECK-NEXT:  for (Node* node : loose)
// CHECK-NEXT:                    ^~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-12]]:19: note: the order of the elements is that of their addresses, which differs between ranks
// CHECK-NEXT:  for (Node* node : loose)
// CHECK-NEXT:                  ^
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
      break;
    }
}

void surroundings(int x) {
  if (std::getenv("DEBUG") != nullptr) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:40: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (std::getenv("DEBUG") != nullptr) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                       ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'std::getenv("DEBUG") != nullptr'
// CHECK-NEXT:  if (std::getenv("DEBUG") != nullptr) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: nothing is known of what 'std::getenv("DEBUG")' gives
// CHECK-NEXT:  if (std::getenv("DEBUG") != nullptr) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  std::random_device random;
  if (random() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:26: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (random() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                         ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'random() % 2 == 0'
// CHECK-NEXT:  if (random() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: nothing is known of what 'random()' gives
// CHECK-NEXT:  if (random() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  std::mt19937 seeded(random());
  if (seeded() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:26: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (seeded() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                         ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'seeded() % 2 == 0'
// CHECK-NEXT:  if (seeded() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-8]]:16: note: 'seeded' was assigned 'seeded(random())' here
// CHECK-NEXT:  std::mt19937 seeded(random());
// CHECK-NEXT:               ^~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-11]]:23: note: nothing is known of what 'random()' gives
// CHECK-NEXT:  std::mt19937 seeded(random());
// CHECK-NEXT:                      ^~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  if (std::rand() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:29: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (std::rand() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                            ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'std::rand() % 2 == 0'
// CHECK-NEXT:  if (std::rand() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: nothing is known of what 'std::rand()' gives
// CHECK-NEXT:  if (std::rand() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  if (getpid() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:26: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (getpid() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                         ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'getpid() % 2 == 0'
// CHECK-NEXT:  if (getpid() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: nothing is known of what 'getpid()' gives
// CHECK-NEXT:  if (getpid() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
}

void unseen(int x) {
  if (elapsed() > 3) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:22: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (elapsed() > 3) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                     ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'elapsed() > 3'
// CHECK-NEXT:  if (elapsed() > 3) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: nothing is known of what 'elapsed()' gives
// CHECK-NEXT:  if (elapsed() > 3) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  const Settings settings = load("input");
  for (int step = 0; step < settings.steps; ++step) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:53: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  for (int step = 0; step < settings.steps; ++step) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                                    ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:22: note: which ranks come here depends on 'step < settings.steps'
// CHECK-NEXT:  for (int step = 0; step < settings.steps; ++step) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                     ^~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-8]]:29: note: 'settings' was assigned 'load("input")' here
// CHECK-NEXT:  const Settings settings = load("input");
// CHECK-NEXT:                            ^~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-11]]:29: note: nothing is known of what 'load("input")' gives
// CHECK-NEXT:  const Settings settings = load("input");
// CHECK-NEXT:                            ^~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  Settings filled;
  read_into(filled);
  if (filled.limit > 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:25: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (filled.limit > 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                        ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'filled.limit > 0'
// CHECK-NEXT:  if (filled.limit > 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-8]]:3: note: 'filled' may be changed by this call
// CHECK-NEXT:  read_into(filled);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-11]]:3: note: nothing is known of what 'read_into(filled)' gives
// CHECK-NEXT:  read_into(filled);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  const std::vector<double> values(3);
  if (converged(values.data(), 3)) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:36: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (converged(values.data(), 3)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                   ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'converged(values.data(), 3)'
// CHECK-NEXT:  if (converged(values.data(), 3)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: nothing is known of what 'converged(values.data(), 3)' gives
// CHECK-NEXT:  if (converged(values.data(), 3)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
  if (elapsed() > 3) kanor::team t = world.split(0, 0);
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:38: warning: it is not known that all ranks reach this split, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (elapsed() > 3) kanor::team t = world.split(0, 0);
// CHECK-NEXT:                                     ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'elapsed() > 3'
// CHECK-NEXT:  if (elapsed() > 3) kanor::team t = world.split(0, 0);
// CHECK-NEXT:      ^~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: nothing is known of what 'elapsed()' gives
// CHECK-NEXT:  if (elapsed() > 3) kanor::team t = world.split(0, 0);
// CHECK-NEXT:      ^~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
}

void known(int x) {
  if (agreed() > 3) @communicate { x@0 <<= x@1 }
  [[kanor::uniform]] const Settings settings = load("input");
  for (int step = 0; step < settings.steps; ++step) @communicate { x@0 <<= x@1 }
  std::mt19937 seeded(42);
  if (seeded() % 2 == 0) @communicate { x@0 <<= x@1 }
  double sum = elapsed(), total = 0;
  @communicate { total@i << + << sum@j where i, j in world }
  if (total > 3) @communicate { x@0 <<= x@1 }
  std::map<std::string, int> table{{"a", 1}, {"b", 2}};
  for (const auto& [name, value] : table)
    if (value > 1) @communicate { x@0 <<= x@1 }
  const std::string words = "some words";
  if (std::count(words.begin(), words.end(), 's') > 1) @communicate { x@0 <<= x@1 }
}

/// What fork() returns says who is the child, which is no rank, and which number the child has.
void children(int x) {
  const pid_t child = fork();
  if (child < 0) std::exit(3);
  if (child == 0) _exit(execl("/bin/true", "true", nullptr));
  @communicate { x@0 <<= x@1 }
  if (pid_t other; (other = vfork()) == 0) _exit(0);
  if (!fork()) _exit(0);
  switch (fork()) {
    case -1:
      return;
    case 0:
      _exit(0);
    default:
      @communicate { x@0 <<= x@1 }
  }
  if (child % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:23: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (child % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                      ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'child % 2 == 0'
// CHECK-NEXT:  if (child % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-21]]:23: note: 'child' was assigned 'fork()' here
// CHECK-NEXT:  const pid_t child = fork();
// CHECK-NEXT:                      ^~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-24]]:23: note: nothing is known of what 'fork()' gives
// CHECK-NEXT:  const pid_t child = fork();
// CHECK-NEXT:                      ^~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on the declaration of what decides, a variable or a function, asserts that it is the same on all ranks
}

/// What strtok() goes on with is what it has been given.
void words(int x) {
  char line[] = "some words", *rest = nullptr;
  for (char* word = std::strtok(line, " "); word != nullptr; word = std::strtok(nullptr, " "))
    @communicate { x@0 <<= x@1 }
  char other[] = "more words";
  for (char* word = strtok_r(other, " ", &rest); word; word = strtok_r(nullptr, " ", &rest))
    @communicate { x@0 <<= x@1 }
  if (std::strchr(other, 'm') != nullptr) @communicate { x@0 <<= x@1 }
  std::string own = "rank" + std::to_string(world.rank());
  std::strtok(own.data(), "r");
  if (std::strtok(nullptr, "1") != nullptr) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:45: warning: not all ranks reach this block: whether they do depends on the rank [-Wkanor-nonuniform]
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 3;
  for (int step = 0; step < steps; ++step) {
    clocks(step);
    files(step);
    addresses(step, Node{}, Node{});
    surroundings(step);
    unseen(step);
    known(step);
    children(step);
    words(step);
  }
  if (world.rank() == 0) kanor::team t = world.split(0, 0);
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:42: warning: not all ranks reach this split: whether they do depends on the rank [-Wkanor-nonuniform]
// CHECK-NEXT:  if (world.rank() == 0) kanor::team t = world.split(0, 0);
// CHECK-NEXT:                                         ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'world.rank() == 0'
// CHECK-NEXT:  if (world.rank() == 0) kanor::team t = world.split(0, 0);
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: all members of a team split it together; those that share no colour are teams of their own
  if (world.size() > 2) kanor::team u = world.split(0, 0);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
