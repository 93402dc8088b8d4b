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
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:75: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (std::chrono::steady_clock::now() - start > std::chrono::seconds(1)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                                                          ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'std::chrono::steady_clock::now() - start > std::chrono::seconds(1)'
// CHECK-NEXT:  if (std::chrono::steady_clock::now() - start > std::chrono::seconds(1)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: the result of 'std::chrono::steady_clock::now()' may differ between ranks
// CHECK-NEXT:  if (std::chrono::steady_clock::now() - start > std::chrono::seconds(1)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  if (std::time(nullptr) % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:36: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (std::time(nullptr) % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                   ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'std::time(nullptr) % 2 == 0'
// CHECK-NEXT:  if (std::time(nullptr) % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: the result of 'std::time(nullptr)' may differ between ranks
// CHECK-NEXT:  if (std::time(nullptr) % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (now.tv_sec > 5) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:23: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (now.tv_sec > 5) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                      ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'now.tv_sec > 5'
// CHECK-NEXT:  if (now.tv_sec > 5) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-8]]:3: note: 'now' may be changed by this call
// CHECK-NEXT:  clock_gettime(CLOCK_MONOTONIC, &now);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-11]]:3: note: the result of 'clock_gettime(CLOCK_MONOTONIC, &now)' may differ between ranks
// CHECK-NEXT:  clock_gettime(CLOCK_MONOTONIC, &now);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  while (clock() < 1000) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:26: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  while (clock() < 1000) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                         ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:10: note: whether a rank comes here depends on 'clock() < 1000'
// CHECK-NEXT:  while (clock() < 1000) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:         ^~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:10: note: the result of 'clock()' may differ between ranks
// CHECK-NEXT:  while (clock() < 1000) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:         ^~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
}

void files(int x) {
  std::ifstream in("input");
  int count = 0;
  in >> count;
  if (count > 3) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:18: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (count > 3) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'count > 3'
// CHECK-NEXT:  if (count > 3) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-8]]:3: note: 'count' may be changed by this call
// CHECK-NEXT:  in >> count;
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-11]]:3: note: the result of 'in >> count' may differ between ranks
// CHECK-NEXT:  in >> count;
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  std::string line;
  while (std::getline(in, line)) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:34: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  while (std::getline(in, line)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                 ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:10: note: whether a rank comes here depends on 'std::getline(in, line)'
// CHECK-NEXT:  while (std::getline(in, line)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:         ^~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-23]]:3: note: 'in' may be changed by this call
// CHECK-NEXT:  in >> count;
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-26]]:3: note: the result of 'in >> count' may differ between ranks
// CHECK-NEXT:  in >> count;
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  if (in.good()) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:18: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (in.good()) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'in.good()'
// CHECK-NEXT:  if (in.good()) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-37]]:3: note: 'in' may be changed by this call
// CHECK-NEXT:  in >> count;
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-40]]:3: note: the result of 'in >> count' may differ between ranks
// CHECK-NEXT:  in >> count;
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  if (std::FILE* file = std::fopen("input", "r")) {
    int number = 0;
    if (std::fscanf(file, "%d", &number) == 1) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:48: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:    if (std::fscanf(file, "%d", &number) == 1) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                               ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-6]]:18: note: whether a rank comes here depends on 'file'
// CHECK-NEXT:  if (std::FILE* file = std::fopen("input", "r")) {
// CHECK-NEXT:                 ^~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-9]]:25: note: 'file' was assigned 'std::fopen("input", "r")' here
// CHECK-NEXT:  if (std::FILE* file = std::fopen("input", "r")) {
// CHECK-NEXT:                        ^~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-12]]:25: note: the result of 'std::fopen("input", "r")' may differ between ranks
// CHECK-NEXT:  if (std::FILE* file = std::fopen("input", "r")) {
// CHECK-NEXT:                        ^~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
    char bytes[8] = {};
    std::fread(bytes, 1, 8, file);
    if (bytes[0] == 'a') @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:26: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:    if (bytes[0] == 'a') @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                         ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-22]]:18: note: whether a rank comes here depends on 'file'
// CHECK-NEXT:  if (std::FILE* file = std::fopen("input", "r")) {
// CHECK-NEXT:                 ^~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-25]]:25: note: 'file' was assigned 'std::fopen("input", "r")' here
// CHECK-NEXT:  if (std::FILE* file = std::fopen("input", "r")) {
// CHECK-NEXT:                        ^~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-28]]:25: note: the result of 'std::fopen("input", "r")' may differ between ranks
// CHECK-NEXT:  if (std::FILE* file = std::fopen("input", "r")) {
// CHECK-NEXT:                        ^~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  }
  int typed = 0;
  std::cin >> typed;
  for (int i = 0; i < typed; ++i) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:35: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  for (int i = 0; i < typed; ++i) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                  ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:19: note: whether a rank comes here depends on 'i < typed'
// CHECK-NEXT:  for (int i = 0; i < typed; ++i) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                  ^~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-8]]:3: note: 'typed' may be changed by this call
// CHECK-NEXT:  std::cin >> typed;
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-11]]:3: note: the result of 'std::cin >> typed' may differ between ranks
// CHECK-NEXT:  std::cin >> typed;
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  struct stat status {};
  stat("input", &status);
  if (status.st_size > 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:27: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (status.st_size > 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                          ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'status.st_size > 0'
// CHECK-NEXT:  if (status.st_size > 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-8]]:3: note: 'status' may be changed by this call
// CHECK-NEXT:  stat("input", &status);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-11]]:3: note: the result of 'stat("input", &status)' may differ between ranks
// CHECK-NEXT:  stat("input", &status);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
}

void addresses(int x, const Node& first, const Node& second) {
  if (&first < &second) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:25: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (&first < &second) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                        ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on '&first < &second'
// CHECK-NEXT:  if (&first < &second) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: '&first < &second' is an address, which differs between ranks
// CHECK-NEXT:  if (&first < &second) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  std::set<const Node*> ordered{&first, &second};
  if ((*ordered.begin())->weight > 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:39: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if ((*ordered.begin())->weight > 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                      ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on '(*ordered.begin())->weight > 0'
// CHECK-NEXT:  if ((*ordered.begin())->weight > 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:9: note: 'ordered.begin()' is an address, which differs between ranks
// CHECK-NEXT:  if ((*ordered.begin())->weight > 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:        ^~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  auto owner = std::make_unique<int>(3);
  if (reinterpret_cast<long>(owner.get()) % 128 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:55: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (reinterpret_cast<long>(owner.get()) % 128 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                                      ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'reinterpret_cast<long>(owner.get()) % 128 == 0'
// CHECK-NEXT:  if (reinterpret_cast<long>(owner.get()) % 128 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: 'reinterpret_cast<long>(owner.get())' is an address, which differs between ranks
// CHECK-NEXT:  if (reinterpret_cast<long>(owner.get()) % 128 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  std::unordered_set<Node*> loose;
  for (Node* node : loose)
    if (node->weight > 0) {
      @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:7: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:      @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-5]]:9: note: whether a rank comes here depends on 'node->weight > 0'
// CHECK-NEXT:    if (node->weight > 0) {
// CHECK-NEXT:        ^~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-9]]:21: note: 'node' was assigned 'loose' here
// CHECK-NEXT:  for (Node* node : loose)
// CHECK-NEXT:                    ^~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-12]]:19: note: the order of the elements is that of their addresses, which differs between ranks
// CHECK-NEXT:  for (Node* node : loose)
// CHECK-NEXT:                  ^
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
      break;
    }
}

void surroundings(int x) {
  if (std::getenv("DEBUG") != nullptr) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:40: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (std::getenv("DEBUG") != nullptr) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                       ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'std::getenv("DEBUG") != nullptr'
// CHECK-NEXT:  if (std::getenv("DEBUG") != nullptr) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: the result of 'std::getenv("DEBUG")' may differ between ranks
// CHECK-NEXT:  if (std::getenv("DEBUG") != nullptr) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  std::random_device random;
  if (random() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:26: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (random() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                         ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'random() % 2 == 0'
// CHECK-NEXT:  if (random() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: the result of 'random()' may differ between ranks
// CHECK-NEXT:  if (random() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  std::mt19937 seeded(random());
  if (seeded() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:26: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (seeded() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                         ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'seeded() % 2 == 0'
// CHECK-NEXT:  if (seeded() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-8]]:16: note: 'seeded' was assigned 'seeded(random())' here
// CHECK-NEXT:  std::mt19937 seeded(random());
// CHECK-NEXT:               ^~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-11]]:23: note: the result of 'random()' may differ between ranks
// CHECK-NEXT:  std::mt19937 seeded(random());
// CHECK-NEXT:                      ^~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  if (std::rand() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:29: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (std::rand() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                            ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'std::rand() % 2 == 0'
// CHECK-NEXT:  if (std::rand() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: the result of 'std::rand()' may differ between ranks
// CHECK-NEXT:  if (std::rand() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  if (getpid() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:26: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (getpid() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                         ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'getpid() % 2 == 0'
// CHECK-NEXT:  if (getpid() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: the result of 'getpid()' may differ between ranks
// CHECK-NEXT:  if (getpid() % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
}

void unseen(int x) {
  if (elapsed() > 3) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:22: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (elapsed() > 3) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                     ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'elapsed() > 3'
// CHECK-NEXT:  if (elapsed() > 3) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: the result of 'elapsed()' may differ between ranks
// CHECK-NEXT:  if (elapsed() > 3) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  const Settings settings = load("input");
  for (int step = 0; step < settings.steps; ++step) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:53: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  for (int step = 0; step < settings.steps; ++step) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                                    ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:22: note: whether a rank comes here depends on 'step < settings.steps'
// CHECK-NEXT:  for (int step = 0; step < settings.steps; ++step) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                     ^~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-8]]:29: note: 'settings' was assigned 'load("input")' here
// CHECK-NEXT:  const Settings settings = load("input");
// CHECK-NEXT:                            ^~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-11]]:29: note: the result of 'load("input")' may differ between ranks
// CHECK-NEXT:  const Settings settings = load("input");
// CHECK-NEXT:                            ^~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  Settings filled;
  read_into(filled);
  if (filled.limit > 0) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:25: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (filled.limit > 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                        ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'filled.limit > 0'
// CHECK-NEXT:  if (filled.limit > 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-8]]:3: note: 'filled' may be changed by this call
// CHECK-NEXT:  read_into(filled);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-11]]:3: note: the result of 'read_into(filled)' may differ between ranks
// CHECK-NEXT:  read_into(filled);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  const std::vector<double> values(3);
  if (converged(values.data(), 3)) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:36: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (converged(values.data(), 3)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                                   ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'converged(values.data(), 3)'
// CHECK-NEXT:  if (converged(values.data(), 3)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: the result of 'converged(values.data(), 3)' may differ between ranks
// CHECK-NEXT:  if (converged(values.data(), 3)) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
  if (elapsed() > 3) kanor::team t = world.split(0, 0);
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:38: warning: some ranks may not reach this split, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (elapsed() > 3) kanor::team t = world.split(0, 0);
// CHECK-NEXT:                                     ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'elapsed() > 3'
// CHECK-NEXT:  if (elapsed() > 3) kanor::team t = world.split(0, 0);
// CHECK-NEXT:      ^~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-7]]:7: note: the result of 'elapsed()' may differ between ranks
// CHECK-NEXT:  if (elapsed() > 3) kanor::team t = world.split(0, 0);
// CHECK-NEXT:      ^~~~~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
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
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:23: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
// CHECK-NEXT:  if (child % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:                      ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'child % 2 == 0'
// CHECK-NEXT:  if (child % 2 == 0) @communicate { x@0 <<= x@1 }
// CHECK-NEXT:      ^~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-21]]:23: note: 'child' was assigned 'fork()' here
// CHECK-NEXT:  const pid_t child = fork();
// CHECK-NEXT:                      ^~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-24]]:23: note: the result of 'fork()' may differ between ranks
// CHECK-NEXT:  const pid_t child = fork();
// CHECK-NEXT:                      ^~~~~~
// CHECK-NEXT:kanorc: note: if the condition is the same on all ranks, declare its variable or function '{{\[\[}}kanor::uniform]]'
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
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:45: warning: some ranks may not reach this block: control flow depends on the rank [-Wkanor-nonuniform]
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
// CHECK:{{.*}}nonuniform_unknown.cpp:[[@LINE-1]]:42: warning: some ranks may not reach this split: control flow depends on the rank [-Wkanor-nonuniform]
// CHECK-NEXT:  if (world.rank() == 0) kanor::team t = world.split(0, 0);
// CHECK-NEXT:                                         ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_unknown.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'world.rank() == 0'
// CHECK-NEXT:  if (world.rank() == 0) kanor::team t = world.split(0, 0);
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: all members of a team must call 'split'; ranks that need no team can use another colour
  if (world.size() > 2) kanor::team u = world.split(0, 0);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
