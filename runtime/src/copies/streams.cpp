// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The standard streams of C++, once for each copy of a program: what one rank sets in std::cout, its buffer
// among it, no other rank sees. They read and write by the C library's streams, as the originals do while
// they are synchronized, so that a line that printf begins is whole, too.
#include <stdio.h>

#include <ext/stdio_sync_filebuf.h>
#include <ios>
#include <istream>
#include <new>
#include <ostream>

// Weak, because a copy with a C++ library of its own (-static-libstdc++) keeps that library's. Which makes
// them after make_streams(), in the same places.
#define KANOR_PLACE(name, Stream) [[gnu::weak]] alignas(std::Stream) char name[sizeof(std::Stream)];
extern "C" {
KANOR_PLACE(_ZSt3cin, istream)
KANOR_PLACE(_ZSt4cout, ostream)
KANOR_PLACE(_ZSt4cerr, ostream)
KANOR_PLACE(_ZSt4clog, ostream)
KANOR_PLACE(_ZSt4wcin, wistream)
KANOR_PLACE(_ZSt5wcout, wostream)
KANOR_PLACE(_ZSt5wcerr, wostream)
KANOR_PLACE(_ZSt5wclog, wostream)
}
#undef KANOR_PLACE

// With older headers each source file has one, which makes and flushes the C++ library's own streams.
[[gnu::weak]] std::ios_base::Init::Init() {}
[[gnu::weak]] std::ios_base::Init::~Init() {}

namespace {

template <class Character>
class Streams {
 public:
  Streams(void* in, void* out, void* error, void* log)
      : in_(*new (in) std::basic_istream<Character>(&input_)),
        out_(*new (out) Output(&output_)),
        error_(*new (error) Output(&messages_)),
        log_(*new (log) Output(&messages_)) {
    in_.tie(&out_);
    error_.tie(&out_);
    error_.setf(std::ios_base::unitbuf);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  void flush() {
    out_.flush();
    error_.flush();
    log_.flush();
  }

 private:
  using Output = std::basic_ostream<Character>;
  using Buffer = __gnu_cxx::stdio_sync_filebuf<Character>;

  Buffer input_{stdin}, output_{stdout}, messages_{stderr};
  std::basic_istream<Character>& in_;
  Output &out_, &error_, &log_;
};

struct AllStreams {
  Streams<char> narrow{_ZSt3cin, _ZSt4cout, _ZSt4cerr, _ZSt4clog};
  Streams<wchar_t> wide{_ZSt4wcin, _ZSt5wcout, _ZSt5wcerr, _ZSt5wclog};
};

// Never destroyed: the program's destructors use them.
alignas(AllStreams) char place[sizeof(AllStreams)];
AllStreams* all = nullptr;

// The priorities below 101 are for what C++ programs are made of, as these are; the program's shared
// libraries have those from 2 on (driver/link/own_libraries.cpp).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"

/// Runs before the program's constructors.
[[gnu::constructor(1)]] void make_streams() { all = new (place) AllStreams; }

/// Runs after the program's destructors. A buffer of the program's may wait for it.
[[gnu::destructor(1)]] void flush_streams() {
  try {
    all->narrow.flush();
    all->wide.flush();
  } catch (...) {  // as when a process ends
  }
}

#pragma GCC diagnostic pop

}  // namespace
