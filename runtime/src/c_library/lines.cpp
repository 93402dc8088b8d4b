// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_library/lines.hpp"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

#include <chrono>
#include <ext/stdio_sync_filebuf.h>
#include <iostream>
#include <mutex>
#include <streambuf>

#include "c_library/library_state.hpp"

// Linked with --wrap, as functions.cpp; libraries flush by the C library's own name.
extern "C" {
int __wrap_fflush(FILE* stream);
int __wrap_fclose(FILE* stream);
/// The C library's by their other names, which no link wraps.
int _IO_fclose(FILE* stream);
int _IO_setvbuf(FILE* stream, char* buffer, int mode, size_t bytes) noexcept;
int __wrap_setvbuf(FILE* stream, char* buffer, int mode, size_t bytes) noexcept;
void __wrap_setbuf(FILE* stream, char* buffer) noexcept;
void __wrap_setbuffer(FILE* stream, char* buffer, size_t bytes) noexcept;
void __wrap_setlinebuf(FILE* stream) noexcept;
}
__asm__(".weak fflush\n\t.type fflush, @function\n\t.set fflush, __wrap_fflush");

namespace kanor::rt {
namespace {

/// The longest line that waits for its end; a longer one goes out in pieces.
constexpr std::size_t most_bytes = std::size_t{1} << 20;
/// The most bytes that wait where the program has asked for a buffer of any size.
constexpr std::size_t most_gathered = std::size_t{64} << 10;

std::FILE* lines = nullptr;           ///< the C library's stdout, which takes whole lines
pthread_mutex_t* job_lock = nullptr;  ///< between processes that write to one file; null: `lines` buffers
std::FILE* pieces = nullptr;          ///< the program's stdout; null while that is the C library's

/// One write would do for what a pipe takes at once, but nothing shorter may come in the middle of a longer.
void write_with_lock(const char* data, std::size_t bytes) {
  // Its holder may have been killed: there is nothing to mend.
  if (::pthread_mutex_lock(job_lock) == EOWNERDEAD) ::pthread_mutex_consistent(job_lock);
  while (bytes > 0) {
    const ssize_t written = ::write(lines->_fileno, data, bytes);
    if (written < 0 && errno == EAGAIN) {
      pollfd room{lines->_fileno, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (written < 0 && errno != EINTR) {
      break;
    }
    if (written <= 0) continue;
    data += written;
    bytes -= static_cast<std::size_t>(written);
  }
  ::pthread_mutex_unlock(job_lock);
}

void write_out(const char* data, std::size_t bytes) {
  if (bytes == 0) return;
  if (job_lock)
    write_with_lock(data, bytes);
  else
    std::fwrite(data, 1, bytes, lines);
}

void end_line(LibraryState& state) {
  write_out(state.line.data(), state.line.size());
  state.line.clear();
}

void put(const char* data, std::size_t bytes) {
  LibraryState& state = library_state();
  const std::lock_guard guard(state.line_lock);
  if (state.is_closed) return;
  if (state.fills_buffer && state.line.size() + bytes < most_gathered) {
    state.line.append(data, bytes);
    return;
  }
  const void* const end = state.has_lines ? ::memrchr(data, '\n', bytes) : data + bytes - 1;
  const std::size_t whole = end ? static_cast<std::size_t>(static_cast<const char*>(end) + 1 - data) : 0;
  if (whole > 0 && state.line.empty()) {
    write_out(data, whole);
  } else if (whole > 0) {
    state.line.append(data, whole);
    end_line(state);
  }
  state.line.append(data + whole, bytes - whole);
  if (state.line.size() > most_bytes) end_line(state);
  if (state.flushes_lines && whole > 0) ::fflush_unlocked(lines);
}

int flush_file(FILE* stream) {
  if (!stream) return ::fflush_unlocked(nullptr);
  ::flockfile(stream);
  const int result = ::fflush_unlocked(stream);
  ::funlockfile(stream);
  return result;
}

/// The buffer of std::cout.
class Pieces final : public std::streambuf {
 protected:
  std::streamsize xsputn(const char* data, std::streamsize count) override {
    if (count > 0) put(data, static_cast<std::size_t>(count));
    return count;
  }
  int overflow(int character) override {
    if (traits_type::eq_int_type(character, traits_type::eof())) return sync();
    const char one = traits_type::to_char_type(character);
    put(&one, 1);
    return character;
  }
  int sync() override { return __wrap_fflush(pieces); }
};

ssize_t write_pieces(void*, const char* data, std::size_t bytes) {
  if (bytes > 0) put(data, bytes);
  return static_cast<ssize_t>(bytes);
}

/// Reads standard input, after writing a prompt if the output is a terminal, as the C library does.
ssize_t read_after_prompt(void*, char* data, std::size_t bytes) {
  static const bool is_terminal = ::isatty(lines->_fileno) == 1;
  if (is_terminal) __wrap_fflush(pieces);
  return ::read(STDIN_FILENO, data, bytes);
}

int seek_input(void*, off64_t* offset, int whence) {
  *offset = ::lseek64(STDIN_FILENO, *offset, whence);
  return *offset < 0 ? -1 : 0;
}

/// Makes stdin write prompts before it reads, if nothing of it has been read yet.
void read_after_prompts() {
  if (stdin->_fileno != STDIN_FILENO || stdin->_IO_read_base) return;
  std::FILE* const made = ::fopencookie(nullptr, "r", {read_after_prompt, nullptr, seek_input, nullptr});
  if (!made) return;
  made->_fileno = STDIN_FILENO;
  stdin = made;
  if (dynamic_cast<__gnu_cxx::stdio_sync_filebuf<char>*>(std::cin.rdbuf()))
    std::cin.rdbuf(new __gnu_cxx::stdio_sync_filebuf<char>(made));
}

}  // namespace

void write_whole_lines(pthread_mutex_t* between_processes) {
  // A constructor of the runtime calls this, before any file of the program has made the streams.
  static const std::ios_base::Init streams;
  lines = stdout;
  job_lock = between_processes;
  std::FILE* const made = ::fopencookie(nullptr, "w", {nullptr, write_pieces, nullptr, nullptr});
  if (!made) return;
  std::setvbuf(made, nullptr, _IONBF, 0);
  made->_fileno = lines->_fileno;  // for fileno(); nothing else looks at it
  pieces = stdout = made;
  // Streams with buffers of the program's stay as they are.
  if (dynamic_cast<__gnu_cxx::stdio_sync_filebuf<char>*>(std::cout.rdbuf())) std::cout.rdbuf(new Pieces);
  read_after_prompts();
}

void end_lines() {
  LibraryState& state = library_state();
  const std::lock_guard guard(state.line_lock);
  if (pieces) end_line(state);
}

void end_all_lines() {
  using namespace std::chrono_literals;
  if (!pieces) return;
  library_state();
  for_each_library_state([](LibraryState& state) {
    // A rank that was stopped in the middle may hold it for ever.
    // The system's clock: ThreadSanitizer does not see a mutex locked by the steady one.
    const bool locked = state.line_lock.try_lock_until(std::chrono::system_clock::now() + 50ms);
    end_line(state);
    if (locked) state.line_lock.unlock();
  });
}

void end_lines_at_exit() { end_all_lines(); }

void forget_lines_of_others() {
  if (!pieces) return;
  ::__fpurge(lines);
  job_lock = nullptr;  // as it was at the fork
  LibraryState* const own = &library_state();
  for_each_library_state([&](LibraryState& state) {
    if (&state != own) state.line.clear();
  });
}

}  // namespace kanor::rt

using namespace kanor::rt;

int __wrap_fflush(FILE* stream) {
  if (!pieces || (stream && stream != pieces)) return flush_file(stream);
  end_lines();
  return flush_file(stream ? lines : nullptr);
}

int __wrap_fclose(FILE* stream) {
  if (!pieces || (stream != stdin && stream != pieces && stream != stderr)) return ::_IO_fclose(stream);
  // Other ranks go on with it, and with its file.
  if (stream != pieces) return 0;
  end_lines();
  LibraryState& state = library_state();
  const std::lock_guard guard(state.line_lock);
  state.is_closed = true;
  return 0;
}

int __wrap_setvbuf(FILE* stream, char* buffer, int mode, size_t bytes) noexcept {
  if (!pieces || stream != pieces) return ::_IO_setvbuf(stream, buffer, mode, bytes);
  LibraryState& state = library_state();
  const std::lock_guard guard(state.line_lock);
  state.has_lines = mode != _IONBF;
  state.flushes_lines = mode != _IOFBF;
  state.fills_buffer = mode == _IOFBF && job_lock;
  return 0;
}

void __wrap_setbuffer(FILE* stream, char* buffer, size_t bytes) noexcept {
  __wrap_setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, bytes);
}
void __wrap_setbuf(FILE* stream, char* buffer) noexcept { __wrap_setbuffer(stream, buffer, BUFSIZ); }
void __wrap_setlinebuf(FILE* stream) noexcept { __wrap_setvbuf(stream, nullptr, _IOLBF, 0); }
