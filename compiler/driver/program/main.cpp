#include "driver/build.hpp"

int main(int count, char** words) { return kanor::driver::run_kanorc({words + 1, words + count}); }
