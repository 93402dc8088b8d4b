// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/page_faults.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <limits>
#include <mutex>
#include <utility>

#include "platform/clock.hpp"
#include "platform/machine.hpp"
#include "platform/signals.hpp"

extern "C" {
[[gnu::weak]] void __tsan_init();
}

namespace kanor::rt {

/// Pages that are watched, or were. A slot is never freed, as a handler may look at it, but used again.
struct WatchedPages::Slot {
  std::atomic<PageOwner*> owner{nullptr};  ///< release after the other two, acquire before; null: unused
  std::atomic<std::byte*> begin{nullptr}, end{nullptr};
  std::atomic<bool> has_lapsed{false};  ///< relaxed: who gave the memory back has done that before
  Slot* next = nullptr;
};

/// What the handler knows. It takes no lock: the slots only become more, and each is read by itself.
///
/// Why no thread ends the process at a page that another one has opened: whoever opens pages, counts an
/// opening after that. A thread whose page is not found, or not closed, has touched it before it was opened,
/// so before this opening was counted. If the thread saw the count at an earlier fault, it saw a smaller one.
/// So it finds another count now, and tries again. An instruction that faults for another reason finds the
/// same count at the second try, or at a later one: others can't open pages for ever.
class Watch {
 public:
  using Slot = WatchedPages::Slot;

  static Slot& add(PageOwner& owner, std::byte* begin, std::byte* end) {
    const std::scoped_lock lock(changing);
    Slot* slot = nullptr;
    for (Slot* one = slots.load(std::memory_order_relaxed); one; one = one->next) {
      if (!one->owner.load(std::memory_order_relaxed))
        slot = one;
      else if (one->begin.load(std::memory_order_relaxed) < end &&
               begin < one->end.load(std::memory_order_relaxed))
        one->has_lapsed.store(true, std::memory_order_relaxed);
    }
    if (!slot) {
      slot = new Slot;
      slot->next = slots.load(std::memory_order_relaxed);
      slots.store(slot, std::memory_order_release);
    }
    slot->has_lapsed.store(false, std::memory_order_relaxed);
    slot->begin.store(begin, std::memory_order_relaxed);
    slot->end.store(end, std::memory_order_relaxed);
    slot->owner.store(&owner, std::memory_order_release);
    return *slot;
  }

  static void remove(Slot& slot) {
    slot.owner.store(nullptr, std::memory_order_release);
    note_opened();
  }

  static void note_opened() { openings.fetch_add(1, std::memory_order_release); }

  static void open(const std::byte* begin, const std::byte* end) {
    for (Slot* slot = slots.load(std::memory_order_acquire); slot; slot = slot->next) {
      PageOwner* const owner = slot->owner.load(std::memory_order_acquire);
      const bool overlaps = owner && slot->begin.load(std::memory_order_relaxed) < end &&
                            begin < slot->end.load(std::memory_order_relaxed);
      if (overlaps) owner->open();
    }
  }

  /// Asks the owner of the byte. Returns false if it has none.
  static bool ask(std::byte* byte, bool writes, const void* code) {
    for (Slot* slot = slots.load(std::memory_order_acquire); slot; slot = slot->next) {
      PageOwner* const owner = slot->owner.load(std::memory_order_acquire);
      const bool is_in = owner && slot->begin.load(std::memory_order_relaxed) <= byte &&
                         byte < slot->end.load(std::memory_order_relaxed);
      if (is_in && owner->touched(byte, writes, code)) return true;
    }
    // The page may have been opened since it was touched. If not, the next try finds nothing new.
    const std::uint64_t now = openings.load(std::memory_order_acquire);
    return std::exchange(seen_openings, now) != now;
  }

 private:
  static inline std::mutex changing;
  static inline std::atomic<Slot*> slots{nullptr};
  static inline std::atomic<std::uint64_t> openings{0};
  static inline thread_local std::uint64_t seen_openings = 0;
};

namespace {

/// What happens at SIGSEGV where no page is watched. Never freed, as a handler may look at it.
struct Behind {
  struct sigaction action;
  const Behind* before;  ///< what this has replaced; null: nothing
};

/// Null: the process does not watch pages.
std::atomic<const Behind*> behind{nullptr};

void set_default_action() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  system_sigaction(SIGSEGV, &standard, nullptr);
}

/// Does what happens where no page is watched.
void pass_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction action = behind.load(std::memory_order_acquire)->action;
  const bool has_info = (action.sa_flags & SA_SIGINFO) != 0;
  const bool was_sent = info->si_code <= 0;
  if (!has_info && (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)) {
    if (was_sent && action.sa_handler == SIG_IGN) return;
    set_default_action();
    // An instruction that faulted faults again; a signal that was sent must be sent once more.
    if (was_sent) ::raise(signal);
    return;
  }
  if ((static_cast<unsigned>(action.sa_flags) & SA_RESETHAND) != 0) {
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    change_action_behind_pages(&standard, nullptr);
  }
  sigset_t blocked = action.sa_mask, before;
  if ((action.sa_flags & SA_NODEFER) == 0) ::sigaddset(&blocked, signal);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  if (has_info)
    action.sa_sigaction(signal, info, context);
  else
    action.sa_handler(signal);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void faulted(int signal, siginfo_t* info, void* context) {
  constexpr long writes = 2;  // a bit of the processor's error code
  const int errno_before = errno;
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  const bool goes_on = info->si_code == SEGV_ACCERR &&
                       Watch::ask(static_cast<std::byte*>(info->si_addr), (registers[REG_ERR] & writes) != 0,
                                  reinterpret_cast<const void*>(registers[REG_RIP]));
  errno = errno_before;
  if (goes_on) return;
  pass_on(signal, info, context);
  errno = errno_before;
}

/// Makes SIGSEGV come here first. Returns false if another handler has been put before this one: nobody knows
/// whether it passes on what it gets.
bool come_first() {
  static std::mutex changing;
  const std::scoped_lock lock(changing);
  struct sigaction now {};
  system_sigaction(SIGSEGV, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == faulted) return true;
  if (behind.load(std::memory_order_relaxed)) return false;
  behind.store(new Behind{now, nullptr}, std::memory_order_release);
  struct sigaction own {};
  own.sa_sigaction = faulted;
  // A fault while an owner waits is one of the runtime's, and is told as such.
  own.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigemptyset(&own.sa_mask);
  return system_sigaction(SIGSEGV, &own, nullptr) == 0;
}

/// A hidden page with known content, to try whether all works, and how long it takes.
class Trial final : public PageOwner {
 public:
  /// Nanoseconds of a use; 0 if it does not work.
  std::int64_t run() {
    constexpr int uses = 5;
    std::byte* const page = map_pages(page_bytes());
    if (!page) return 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    {
      const WatchedPages watched(*this, page, page + page_bytes());
      for (int i = 0; i < uses && works_; ++i) {
        works_ = set_access(page, page_bytes(), Access::hidden) && !is_readable(page) && is_mapped(page);
        const std::int64_t begun = monotonic_ns();
        works_ = works_ && *static_cast<volatile std::byte*>(page) == content && works_;
        least = std::min(least, monotonic_ns() - begun - own_ns_);
        works_ = works_ && is_readable(page) && is_writable(page);
      }
    }
    unmap_pages(page, page_bytes());
    return works_ ? std::max<std::int64_t>(least, 1) : 0;
  }

  bool touched(std::byte* byte, bool writes, const void*) override {
    const std::int64_t begun = monotonic_ns();
    const bool fills = !writes && writer_.write(byte, &content, 1);
    // Whatever happens, the instruction must not fault again.
    works_ = set_access(byte, page_bytes(), Access::write) && fills;
    own_ns_ = monotonic_ns() - begun;
    return true;
  }
  void open() override {}

 private:
  static constexpr std::byte content{0x5a};
  const HiddenWriter writer_;
  bool works_ = true;
  std::int64_t own_ns_ = 0;
};

/// Returns true if the system would end the process at a fault of this thread, without asking the handler.
bool are_faults_blocked() {
  sigset_t blocked;
  return ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked) != 0 || ::sigismember(&blocked, SIGSEGV) != 0;
}

}  // namespace

bool has_thread_sanitizer() { return &__tsan_init != nullptr; }

std::int64_t ready_to_watch_pages() {
  if (has_thread_sanitizer() || are_faults_blocked() || !come_first()) return 0;
  is_c_library(nullptr);  // finds out what it must know, which takes locks, here rather than in the handler
  static const std::int64_t cost_ns = Trial().run();
  return cost_ns;
}

WatchedPages::WatchedPages(PageOwner& owner, std::byte* begin, std::byte* end)
    : slot_(Watch::add(owner, begin, end)) {}
WatchedPages::~WatchedPages() { Watch::remove(slot_); }
bool WatchedPages::has_lapsed() const { return slot_.has_lapsed.load(std::memory_order_relaxed); }
void WatchedPages::have_been_opened() { Watch::note_opened(); }

void open_for_system(const void* data, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(data);
  Watch::open(begin, begin + bytes);
}

// The system writes there as a debugger would, whatever the program itself may do.
HiddenWriter::HiddenWriter() : memory_(::open("/proc/self/mem", O_RDWR | O_CLOEXEC)) {}
HiddenWriter::~HiddenWriter() {
  if (memory_ >= 0) ::close(memory_);
}

bool HiddenWriter::write(std::byte* to, const std::byte* from, std::size_t bytes) const {
  while (bytes > 0) {
    const ssize_t written =
        ::pwrite(memory_, from, bytes, static_cast<off_t>(reinterpret_cast<std::uintptr_t>(to)));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    to += written;
    from += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

bool is_c_library(const void* code) {
  struct Object {
    const void *begin = nullptr, *end = nullptr;
    bool has(const void* address) const { return begin <= address && address < end; }
  };
  const auto object_of = [](const void* address) {
    dl_find_object found{};
    if (!address || ::_dl_find_object(const_cast<void*>(address), &found) != 0) return Object();
    return Object{found.dlfo_map_start, found.dlfo_map_end};
  };
  static const Object own = object_of(reinterpret_cast<const void*>(&is_c_library));
  static const Object library = object_of(reinterpret_cast<const void*>(&::gnu_get_libc_version));
  static const Object copies = object_of(::dlsym(RTLD_DEFAULT, "memcpy"));
  return library.has(code) || copies.has(code) || own.has(library.begin) || own.has(copies.begin);
}

bool is_mapped(std::byte* page) { return ::msync(page, page_bytes(), MS_ASYNC) == 0; }

bool is_readable(const std::byte* byte) {
  std::byte read{};
  const iovec to{&read, 1}, from{const_cast<std::byte*>(byte), 1};
  return ::process_vm_readv(::getpid(), &to, 1, &from, 1, 0) == 1;
}

bool is_writable(std::byte* byte) {
  std::byte same = *byte;
  const iovec from{&same, 1}, to{byte, 1};
  return ::process_vm_writev(::getpid(), &from, 1, &to, 1, 0) == 1;
}

bool change_action_behind_pages(const struct sigaction* action, struct sigaction* before) {
  const Behind* now = behind.load(std::memory_order_acquire);
  if (!now) return false;
  if (!action) {
    if (before) *before = now->action;
    return true;
  }
  auto* const next = new Behind{*action, now};
  while (!behind.compare_exchange_weak(next->before, next, std::memory_order_acq_rel)) {
  }
  if (before) *before = next->before->action;
  return true;
}

}  // namespace kanor::rt
