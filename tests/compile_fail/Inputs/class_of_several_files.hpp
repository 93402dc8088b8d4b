#pragma once

struct Shared {
  int root = 0;
  void run();
};
