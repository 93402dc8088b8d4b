#include <signal.h>
#include <string.h>
#include <unistd.h>

namespace {

void handle(int) {
  usleep(2'500'000);
  constexpr char words[] = "the program's handler is done\n";
  (void)!write(STDERR_FILENO, words, strlen(words));
  _exit(3);
}

[[gnu::constructor]] void install() { signal(SIGSEGV, handle); }

}  // namespace

extern "C" void has_handler() {}
