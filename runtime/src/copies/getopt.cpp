// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// getopt and its variables, as the C library has them (getopt(3)), once for each copy of a program. The C
// library's own has one state for the process, with parts that no caller can see or set.
#include <getopt.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

char* optarg = nullptr;
int optind = 1;
int opterr = 1;
int optopt = '?';

namespace {

/// What happens to a word that is no option.
enum class Plain {
  moved,   ///< behind the options
  ends,    ///< it ends the options
  option,  ///< it is the argument of an option of number 1
};

/// What is known from call to call, besides the variables above.
struct Position {
  bool is_started = false;
  Plain plain = Plain::moved;
  char* rest = nullptr;  ///< of a word with several options of one letter
  int first_plain = 1;   ///< the words that are no options and have been passed
  int end_plain = 1;
};

Position at;

/// One call's arguments.
struct Call {
  int count;
  char** words;
  const char* letters;
  const option* names;  ///< null: there are no long options
  int* index;
  bool single_dash;  ///< long options may begin with one dash
  bool is_silent;    ///< the letters begin with a colon, or the caller does not want messages

  int missing() const { return letters[0] == ':' ? ':' : '?'; }
};

bool is_plain(const char* word) { return word[0] != '-' || word[1] == '\0'; }

void reverse(char** words, int from, int to) {
  for (--to; from < to; ++from, --to) {
    char* const other = words[from];
    words[from] = words[to];
    words[to] = other;
  }
}

/// Moves the plain words behind the options that have been taken since.
void move_plain(char** words) {
  reverse(words, at.first_plain, at.end_plain);
  reverse(words, at.end_plain, optind);
  reverse(words, at.first_plain, optind);
  at.first_plain += optind - at.end_plain;
  at.end_plain = optind;
}

void settle_plain(char** words) {
  if (at.first_plain != at.end_plain && at.end_plain != optind)
    move_plain(words);
  else if (at.end_plain != optind)
    at.first_plain = optind;
}

void start(const char* letters, bool posix) {
  if (optind == 0) optind = 1;
  const bool ends = posix || letters[0] == '+' || std::getenv("POSIXLY_CORRECT") != nullptr;
  at = {true, letters[0] == '-' ? Plain::option : ends ? Plain::ends : Plain::moved, nullptr, optind, optind};
}

void say_ambiguous(const Call& call, const char* dashes, std::size_t length) {
  std::fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", call.words[0], dashes, at.rest);
  for (const option* one = call.names; one->name != nullptr; ++one)
    if (std::strncmp(one->name, at.rest, length) == 0) std::fprintf(stderr, " '%s%s'", dashes, one->name);
  std::fputc('\n', stderr);
}

/// The long option that the rest of the word names, by its beginning if that is enough; null: none.
const option* find_name(const Call& call, std::size_t length, bool& is_ambiguous) {
  const option* found = nullptr;
  for (const option* one = call.names; one->name != nullptr; ++one) {
    if (std::strncmp(one->name, at.rest, length) != 0) continue;
    if (std::strlen(one->name) == length) {
      is_ambiguous = false;
      return one;
    }
    const bool is_other = found != nullptr && (call.single_dash || found->has_arg != one->has_arg ||
                                               found->flag != one->flag || found->val != one->val);
    is_ambiguous |= is_other;
    if (found == nullptr) found = one;
  }
  return found;
}

int end_word(int result, int shown) {
  at.rest = nullptr;
  ++optind;
  optopt = shown;
  return result;
}

/// Takes the long option in the rest of the word. Returns -1 if it is one of letters instead.
int take_name(const Call& call, const char* dashes) {
  const std::size_t length = std::strcspn(at.rest, "=");
  bool is_ambiguous = false;
  const option* const found = find_name(call, length, is_ambiguous);
  if (is_ambiguous) {
    if (!call.is_silent) say_ambiguous(call, dashes, length);
    return end_word('?', 0);
  }
  if (found == nullptr) {
    if (call.single_dash && call.words[optind][1] != '-' && std::strchr(call.letters, *at.rest) != nullptr)
      return -1;
    if (!call.is_silent)
      std::fprintf(stderr, "%s: unrecognized option '%s%s'\n", call.words[0], dashes, at.rest);
    return end_word('?', 0);
  }
  char* const value = at.rest[length] == '=' ? at.rest + length + 1 : nullptr;
  at.rest = nullptr;
  ++optind;
  if (value != nullptr && found->has_arg == no_argument) {
    if (!call.is_silent)
      std::fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", call.words[0], dashes,
                   found->name);
    optopt = found->val;
    return '?';
  }
  optarg = value;
  if (value == nullptr && found->has_arg == required_argument) {
    if (optind >= call.count) {
      if (!call.is_silent)
        std::fprintf(stderr, "%s: option '%s%s' requires an argument\n", call.words[0], dashes, found->name);
      optopt = found->val;
      return call.missing();
    }
    optarg = call.words[optind++];
  }
  if (call.index != nullptr) *call.index = static_cast<int>(found - call.names);
  if (found->flag == nullptr) return found->val;
  *found->flag = found->val;
  return 0;
}

int lacks_argument(const Call& call, char letter) {
  if (!call.is_silent)
    std::fprintf(stderr, "%s: option requires an argument -- '%c'\n", call.words[0], letter);
  optopt = letter;
  return call.missing();
}

/// Takes the next letter of the word.
int take_letter(const Call& call) {
  const char letter = *at.rest++;
  const char* const entry = std::strchr(call.letters, letter);
  if (*at.rest == '\0') ++optind;
  if (entry == nullptr || letter == ':' || letter == ';') {
    if (!call.is_silent) std::fprintf(stderr, "%s: invalid option -- '%c'\n", call.words[0], letter);
    optopt = letter;
    return '?';
  }
  const bool is_long = letter == 'W' && entry[1] == ';' && call.names != nullptr;
  if (!is_long && entry[1] != ':') return letter;
  if (is_long) {
    if (*at.rest == '\0' && optind == call.count) return lacks_argument(call, letter);
    if (*at.rest == '\0') at.rest = call.words[optind];
    return take_name(call, "-W ");
  }
  char* const rest = *at.rest != '\0' ? at.rest : nullptr;
  at.rest = nullptr;
  if (rest != nullptr) {
    ++optind;
  } else if (entry[2] != ':') {
    if (optind == call.count) return lacks_argument(call, letter);
    optarg = call.words[optind++];
    return letter;
  }
  optarg = rest;
  return letter;
}

/// Finds the next word with options. Returns false if `result` is the answer.
bool find_word(const Call& call, int& result) {
  at.end_plain = at.end_plain > optind ? optind : at.end_plain;
  at.first_plain = at.first_plain > optind ? optind : at.first_plain;
  if (at.plain == Plain::moved) {
    settle_plain(call.words);
    while (optind < call.count && is_plain(call.words[optind])) ++optind;
    at.end_plain = optind;
  }
  if (optind < call.count && std::strcmp(call.words[optind], "--") == 0) {
    ++optind;
    if (at.first_plain == at.end_plain)
      at.first_plain = optind;
    else
      settle_plain(call.words);
    at.end_plain = optind = call.count;
  }
  result = -1;
  if (optind >= call.count) {
    if (at.first_plain != at.end_plain) optind = at.first_plain;
    return false;
  }
  char* const word = call.words[optind];
  if (!is_plain(word)) return true;
  if (at.plain == Plain::ends) return false;
  optarg = word;
  ++optind;
  result = 1;
  return false;
}

int take(Call call, bool posix) {
  if (call.count < 1) return -1;
  optarg = nullptr;
  if (optind == 0 || !at.is_started) start(call.letters, posix);
  if (call.letters[0] == '-' || call.letters[0] == '+') ++call.letters;
  call.is_silent = opterr == 0 || call.letters[0] == ':';
  if (at.rest != nullptr && *at.rest != '\0') return take_letter(call);
  int result = 0;
  if (!find_word(call, result)) return result;
  char* const word = call.words[optind];
  if (call.names != nullptr && word[1] == '-') {
    at.rest = word + 2;
    return take_name(call, "--");
  }
  at.rest = word + 1;
  if (call.names != nullptr && call.single_dash &&
      (word[2] != '\0' || std::strchr(call.letters, word[1]) == nullptr)) {
    const int taken = take_name(call, "-");
    if (taken != -1) return taken;
  }
  return take_letter(call);
}

/// As getopt's declarations have it: it moves words, which it takes as constants.
char** movable(char* const* words) { return const_cast<char**>(words); }

}  // namespace

extern "C" {

int getopt(int count, char* const* words, const char* letters) noexcept {
  return take({count, movable(words), letters, nullptr, nullptr, false, false}, false);
}

/// What programs call that ask for POSIX alone.
int __posix_getopt(int count, char* const* words, const char* letters) {
  return take({count, movable(words), letters, nullptr, nullptr, false, false}, true);
}

int getopt_long(int count, char* const* words, const char* letters, const option* names,
                int* index) noexcept {
  return take({count, movable(words), letters, names, index, false, false}, false);
}

int getopt_long_only(int count, char* const* words, const char* letters, const option* names,
                     int* index) noexcept {
  return take({count, movable(words), letters, names, index, true, false}, false);
}
}
