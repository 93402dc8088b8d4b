// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// The C library's functions and variables with state that a process has once, and how it is treated if ranks
/// are threads. The only list of them, which kanorc's link, the runtime and docs/runtime.md follow.
///
/// For emitted code, the runtime and kanorc alone; plain preprocessor and C. cmake/KanorWraps.cmake reads the
/// functions out of the text.

/// Functions whose state the runtime keeps for each rank, as if each rank were a process.
#define KANOR_OWN_STATE(FUNCTION) \
  FUNCTION(rand)                  \
  FUNCTION(srand)                 \
  FUNCTION(random)                \
  FUNCTION(srandom)               \
  FUNCTION(initstate)             \
  FUNCTION(setstate)              \
  FUNCTION(drand48)               \
  FUNCTION(erand48)               \
  FUNCTION(lrand48)               \
  FUNCTION(nrand48)               \
  FUNCTION(mrand48)               \
  FUNCTION(jrand48)               \
  FUNCTION(srand48)               \
  FUNCTION(seed48)                \
  FUNCTION(lcong48)               \
  FUNCTION(strtok)                \
  FUNCTION(localtime)             \
  FUNCTION(gmtime)                \
  FUNCTION(asctime)               \
  FUNCTION(ctime)                 \
  FUNCTION(hcreate)               \
  FUNCTION(hsearch)               \
  FUNCTION(hdestroy)

/// Functions that set what a signal does, which each rank sets for itself.
#define KANOR_OWN_HANDLERS(HANDLER) \
  HANDLER(signal)                   \
  HANDLER(bsd_signal)               \
  HANDLER(ssignal)                  \
  HANDLER(sysv_signal)              \
  HANDLER(__sysv_signal)            \
  HANDLER(sigaction)                \
  HANDLER(sigignore)                \
  HANDLER(siginterrupt)

/// Functions that send signals, to the rank that calls them if not to another process.
#define KANOR_OWN_SIGNALS(SIGNAL) \
  SIGNAL(kill)                    \
  SIGNAL(alarm)                   \
  SIGNAL(ualarm)

/// Functions whose calls by programs and their libraries the runtime intercepts: those that end or replace a
/// process, or register what is called at its end, and those for standard output. kanorc and CMake link with
/// --wrap for these and those above.
#define KANOR_OWN_CALLS(CALL) \
  CALL(abort)                 \
  CALL(exit)                  \
  CALL(_exit)                 \
  CALL(_Exit)                 \
  CALL(quick_exit)            \
  CALL(at_quick_exit)         \
  CALL(atexit)                \
  CALL(__cxa_atexit)          \
  CALL(on_exit)               \
  CALL(execl)                 \
  CALL(execle)                \
  CALL(execlp)                \
  CALL(execv)                 \
  CALL(execve)                \
  CALL(execvp)                \
  CALL(execvpe)               \
  CALL(fexecve)               \
  CALL(fclose)                \
  CALL(fflush)                \
  CALL(setvbuf)               \
  CALL(setbuf)                \
  CALL(setbuffer)             \
  CALL(setlinebuf)

/// Functions that pass memory to the system, which can't use pages that the runtime watches
/// (KANOR_DELTA=pages): the runtime opens them before. Those of POSIX may be functions of the program's own,
/// and are intercepted only by kanorc, which sees that.
#define KANOR_MEMORY_CALLS(CALL) \
  CALL(fread)                    \
  CALL(fwrite)                   \
  CALL(__fread_chk)              \
  CALL(__read_chk)               \
  CALL(__pread_chk)              \
  CALL(__pread64_chk)            \
  CALL(__recv_chk)               \
  CALL(_ZNSi4readEPcl)           \
  CALL(_ZNSo5writeEPKcl)
#define KANOR_POSIX_MEMORY_CALLS(POSIX) \
  POSIX(read)                           \
  POSIX(write)                          \
  POSIX(pread)                          \
  POSIX(pread64)                        \
  POSIX(pwrite)                         \
  POSIX(pwrite64)                       \
  POSIX(recv)                           \
  POSIX(send)

/// The same for MPI, also if only a program's shared libraries call it.
#define KANOR_OWN_MPI_CALLS(MPI_CALL) \
  MPI_CALL(MPI_Init)                  \
  MPI_CALL(MPI_Init_thread)           \
  MPI_CALL(MPI_Finalize)

/// Functions whose use makes ranks processes, whose standard streams the runtime leaves to the C library.
#define KANOR_STREAM_STATE(SYMBOL)                                \
  SYMBOL(freopen, "a standard stream")                            \
  SYMBOL(freopen64, "a standard stream")                          \
  SYMBOL(wprintf, "the orientation of standard output")           \
  SYMBOL(vwprintf, "the orientation of standard output")          \
  SYMBOL(fwprintf, "the orientation of standard output")          \
  SYMBOL(vfwprintf, "the orientation of standard output")         \
  SYMBOL(__wprintf_chk, "the orientation of standard output")     \
  SYMBOL(__vwprintf_chk, "the orientation of standard output")    \
  SYMBOL(__fwprintf_chk, "the orientation of standard output")    \
  SYMBOL(__vfwprintf_chk, "the orientation of standard output")   \
  SYMBOL(putwchar, "the orientation of standard output")          \
  SYMBOL(putwchar_unlocked, "the orientation of standard output") \
  SYMBOL(putwc, "the orientation of standard output")             \
  SYMBOL(putwc_unlocked, "the orientation of standard output")    \
  SYMBOL(fputwc, "the orientation of standard output")            \
  SYMBOL(fputwc_unlocked, "the orientation of standard output")   \
  SYMBOL(fputws, "the orientation of standard output")            \
  SYMBOL(fputws_unlocked, "the orientation of standard output")   \
  SYMBOL(fwide, "the orientation of standard output")

/// The same, but each copy of an MPI program has a state of its own (runtime/src/copies).
#define KANOR_COPIED_STATE(SYMBOL)                                     \
  SYMBOL(getopt, "the position in the arguments and 'optind'")         \
  SYMBOL(__posix_getopt, "the position in the arguments and 'optind'") \
  SYMBOL(getopt_long, "the position in the arguments and 'optind'")    \
  SYMBOL(getopt_long_only, "the position in the arguments and 'optind'")

/// Functions and variables whose use makes ranks processes, with the state that a process has once.
#define KANOR_PROCESS_STATE(SYMBOL)                                                                   \
  KANOR_COPIED_STATE(SYMBOL)                                                                          \
  SYMBOL(argp_parse, "the position in the arguments and 'optind'")                                    \
  SYMBOL(getsubopt, "'suboptarg'")                                                                    \
  SYMBOL(signgam, "'signgam'")                                                                        \
  SYMBOL(setlocale, "the locale")                                                                     \
  SYMBOL(_ZNSt6locale6globalERKS_, "the locale")                                                      \
  SYMBOL(textdomain, "the message domain")                                                            \
  SYMBOL(bindtextdomain, "the message domain")                                                        \
  SYMBOL(bind_textdomain_codeset, "the message domain")                                               \
  SYMBOL(mblen, "the shift state")                                                                    \
  SYMBOL(mbtowc, "the shift state")                                                                   \
  SYMBOL(wctomb, "the shift state")                                                                   \
  SYMBOL(setenv, "the environment")                                                                   \
  SYMBOL(unsetenv, "the environment")                                                                 \
  SYMBOL(putenv, "the environment")                                                                   \
  SYMBOL(clearenv, "the environment")                                                                 \
  SYMBOL(environ, "the environment")                                                                  \
  SYMBOL(__environ, "the environment")                                                                \
  SYMBOL(_environ, "the environment")                                                                 \
  SYMBOL(chdir, "the working directory")                                                              \
  SYMBOL(fchdir, "the working directory")                                                             \
  SYMBOL(nftw, "the working directory")                                                               \
  SYMBOL(nftw64, "the working directory")                                                             \
  SYMBOL(fts_open, "the working directory")                                                           \
  SYMBOL(fts64_open, "the working directory")                                                         \
  SYMBOL(_ZNSt10filesystem12current_pathERKNS_7__cxx114pathE, "the working directory")                \
  SYMBOL(_ZNSt10filesystem12current_pathERKNS_7__cxx114pathERSt10error_code, "the working directory") \
  SYMBOL(_ZNSt10filesystem12current_pathERKNS_4pathE, "the working directory")                        \
  SYMBOL(_ZNSt10filesystem12current_pathERKNS_4pathERSt10error_code, "the working directory")         \
  SYMBOL(chroot, "the root directory")                                                                \
  SYMBOL(umask, "the file mode mask")                                                                 \
  SYMBOL(sigset, "the signal handlers")                                                               \
  SYMBOL(sigwait, "the signals that wait")                                                            \
  SYMBOL(sigwaitinfo, "the signals that wait")                                                        \
  SYMBOL(sigtimedwait, "the signals that wait")                                                       \
  SYMBOL(signalfd, "the signals that wait")                                                           \
  SYMBOL(setitimer, "the timer")                                                                      \
  SYMBOL(getitimer, "the timer")                                                                      \
  SYMBOL(setrlimit, "the resource limits")                                                            \
  SYMBOL(setrlimit64, "the resource limits")                                                          \
  SYMBOL(prlimit, "the resource limits")                                                              \
  SYMBOL(prlimit64, "the resource limits")                                                            \
  SYMBOL(ulimit, "the resource limits")                                                               \
  SYMBOL(setuid, "the user")                                                                          \
  SYMBOL(seteuid, "the user")                                                                         \
  SYMBOL(setreuid, "the user")                                                                        \
  SYMBOL(setresuid, "the user")                                                                       \
  SYMBOL(setfsuid, "the user")                                                                        \
  SYMBOL(setgid, "the group")                                                                         \
  SYMBOL(setegid, "the group")                                                                        \
  SYMBOL(setregid, "the group")                                                                       \
  SYMBOL(setresgid, "the group")                                                                      \
  SYMBOL(setfsgid, "the group")                                                                       \
  SYMBOL(setgroups, "the group")                                                                      \
  SYMBOL(initgroups, "the group")                                                                     \
  SYMBOL(setpgid, "the process group")                                                                \
  SYMBOL(setpgrp, "the process group")                                                                \
  SYMBOL(setsid, "the session")                                                                       \
  SYMBOL(wait, "the children")                                                                        \
  SYMBOL(wait3, "the children")                                                                       \
  SYMBOL(prctl, "the process's attributes")                                                           \
  SYMBOL(lockf, "the file locks")                                                                     \
  SYMBOL(lockf64, "the file locks")                                                                   \
  SYMBOL(flockfile, "the locks of streams")                                                           \
  SYMBOL(ftrylockfile, "the locks of streams")                                                        \
  SYMBOL(lckpwdf, "the password lock")                                                                \
  SYMBOL(ulckpwdf, "the password lock")                                                               \
  SYMBOL(dup2, "the numbers of files")                                                                \
  SYMBOL(dup3, "the numbers of files")                                                                \
  SYMBOL(closefrom, "the numbers of files")                                                           \
  SYMBOL(close_range, "the numbers of files")                                                         \
  SYMBOL(fcloseall, "the numbers of files")                                                           \
  KANOR_STREAM_STATE(SYMBOL)                                                                          \
  SYMBOL(_ZSt5wcout, "the orientation of standard output")                                            \
  SYMBOL(openlog, "the log's settings")                                                               \
  SYMBOL(closelog, "the log's settings")                                                              \
  SYMBOL(setlogmask, "the log's settings")                                                            \
  SYMBOL(program_invocation_name, "the program's name")                                               \
  SYMBOL(program_invocation_short_name, "the program's name")                                         \
  SYMBOL(__progname, "the program's name")                                                            \
  SYMBOL(__progname_full, "the program's name")                                                       \
  SYMBOL(error_print_progname, "the program's name")                                                  \
  SYMBOL(error_message_count, "the messages of error")                                                \
  SYMBOL(error_one_per_line, "the messages of error")                                                 \
  SYMBOL(error_at_line, "the messages of error")                                                      \
  SYMBOL(_ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE, "the default memory resource")       \
  SYMBOL(tmpnam, "the name")                                                                          \
  SYMBOL(ttyname, "the name")                                                                         \
  SYMBOL(ptsname, "the name")                                                                         \
  SYMBOL(cuserid, "the name")                                                                         \
  SYMBOL(ctermid, "the name")                                                                         \
  SYMBOL(getlogin, "the name")                                                                        \
  SYMBOL(getpass, "the text")                                                                         \
  SYMBOL(l64a, "the text")                                                                            \
  SYMBOL(ecvt, "the text")                                                                            \
  SYMBOL(fcvt, "the text")                                                                            \
  SYMBOL(qecvt, "the text")                                                                           \
  SYMBOL(qfcvt, "the text")                                                                           \
  SYMBOL(crypt, "the text")                                                                           \
  SYMBOL(inet_nsap_ntoa, "the text")                                                                  \
  SYMBOL(setkey, "the key")                                                                           \
  SYMBOL(encrypt, "the key")                                                                          \
  SYMBOL(re_comp, "the pattern")                                                                      \
  SYMBOL(re_exec, "the pattern")                                                                      \
  SYMBOL(fmtmsg, "the severity classes")                                                              \
  SYMBOL(addseverity, "the severity classes")                                                         \
  SYMBOL(ether_ntoa, "the text")                                                                      \
  SYMBOL(ether_aton, "the address")                                                                   \
  SYMBOL(getdate, "the date")                                                                         \
  SYMBOL(getpwnam, "the entry")                                                                       \
  SYMBOL(getpwuid, "the entry")                                                                       \
  SYMBOL(getpwent, "the entry")                                                                       \
  SYMBOL(getpwent_r, "the entry")                                                                     \
  SYMBOL(fgetpwent, "the entry")                                                                      \
  SYMBOL(setpwent, "the entry")                                                                       \
  SYMBOL(endpwent, "the entry")                                                                       \
  SYMBOL(getgrnam, "the entry")                                                                       \
  SYMBOL(getgrgid, "the entry")                                                                       \
  SYMBOL(getgrent, "the entry")                                                                       \
  SYMBOL(getgrent_r, "the entry")                                                                     \
  SYMBOL(fgetgrent, "the entry")                                                                      \
  SYMBOL(setgrent, "the entry")                                                                       \
  SYMBOL(endgrent, "the entry")                                                                       \
  SYMBOL(getspnam, "the entry")                                                                       \
  SYMBOL(getspent, "the entry")                                                                       \
  SYMBOL(getspent_r, "the entry")                                                                     \
  SYMBOL(fgetspent, "the entry")                                                                      \
  SYMBOL(sgetspent, "the entry")                                                                      \
  SYMBOL(setspent, "the entry")                                                                       \
  SYMBOL(endspent, "the entry")                                                                       \
  SYMBOL(getmntent, "the entry")                                                                      \
  SYMBOL(getfsent, "the entry")                                                                       \
  SYMBOL(getfsspec, "the entry")                                                                      \
  SYMBOL(getfsfile, "the entry")                                                                      \
  SYMBOL(setfsent, "the entry")                                                                       \
  SYMBOL(getttyent, "the entry")                                                                      \
  SYMBOL(getttynam, "the entry")                                                                      \
  SYMBOL(getusershell, "the entry")                                                                   \
  SYMBOL(getaliasent, "the entry")                                                                    \
  SYMBOL(getaliasent_r, "the entry")                                                                  \
  SYMBOL(getaliasbyname, "the entry")                                                                 \
  SYMBOL(getutent, "the entry")                                                                       \
  SYMBOL(getutent_r, "the entry")                                                                     \
  SYMBOL(getutid, "the entry")                                                                        \
  SYMBOL(getutid_r, "the entry")                                                                      \
  SYMBOL(getutline, "the entry")                                                                      \
  SYMBOL(getutline_r, "the entry")                                                                    \
  SYMBOL(pututline, "the entry")                                                                      \
  SYMBOL(setutent, "the entry")                                                                       \
  SYMBOL(utmpname, "the entry")                                                                       \
  SYMBOL(getutxent, "the entry")                                                                      \
  SYMBOL(getutxid, "the entry")                                                                       \
  SYMBOL(getutxline, "the entry")                                                                     \
  SYMBOL(pututxline, "the entry")                                                                     \
  SYMBOL(setutxent, "the entry")                                                                      \
  SYMBOL(utmpxname, "the entry")                                                                      \
  SYMBOL(gethostbyname, "the entry")                                                                  \
  SYMBOL(gethostbyname2, "the entry")                                                                 \
  SYMBOL(gethostbyaddr, "the entry")                                                                  \
  SYMBOL(gethostent, "the entry")                                                                     \
  SYMBOL(gethostent_r, "the entry")                                                                   \
  SYMBOL(sethostent, "the entry")                                                                     \
  SYMBOL(getservbyname, "the entry")                                                                  \
  SYMBOL(getservbyport, "the entry")                                                                  \
  SYMBOL(getservent, "the entry")                                                                     \
  SYMBOL(getservent_r, "the entry")                                                                   \
  SYMBOL(setservent, "the entry")                                                                     \
  SYMBOL(getprotobyname, "the entry")                                                                 \
  SYMBOL(getprotobynumber, "the entry")                                                               \
  SYMBOL(getprotoent, "the entry")                                                                    \
  SYMBOL(getprotoent_r, "the entry")                                                                  \
  SYMBOL(setprotoent, "the entry")                                                                    \
  SYMBOL(getnetbyname, "the entry")                                                                   \
  SYMBOL(getnetbyaddr, "the entry")                                                                   \
  SYMBOL(getnetent, "the entry")                                                                      \
  SYMBOL(getnetent_r, "the entry")                                                                    \
  SYMBOL(setnetent, "the entry")                                                                      \
  SYMBOL(getnetgrent, "the entry")                                                                    \
  SYMBOL(getnetgrent_r, "the entry")                                                                  \
  SYMBOL(setnetgrent, "the entry")                                                                    \
  SYMBOL(getrpcent, "the entry")                                                                      \
  SYMBOL(getrpcent_r, "the entry")                                                                    \
  SYMBOL(getrpcbyname, "the entry")                                                                   \
  SYMBOL(getrpcbynumber, "the entry")                                                                 \
  SYMBOL(setrpcent, "the entry")

/// Functions whose use makes ranks processes if the program uses one of KANOR_OWN_HANDLERS, too: they block
/// signals, or have signals sent that would come to all thread ranks.
#define KANOR_BESIDE_HANDLERS(SYMBOL)             \
  SYMBOL(sigprocmask, "blocked signals")          \
  SYMBOL(pthread_sigmask, "blocked signals")      \
  SYMBOL(sigsuspend, "blocked signals")           \
  SYMBOL(sighold, "blocked signals")              \
  SYMBOL(sigrelse, "blocked signals")             \
  SYMBOL(sigpause, "blocked signals")             \
  SYMBOL(__sigpause, "blocked signals")           \
  SYMBOL(__xpg_sigpause, "blocked signals")       \
  SYMBOL(sigblock, "blocked signals")             \
  SYMBOL(sigsetmask, "blocked signals")           \
  SYMBOL(fork, "the signals of children")         \
  SYMBOL(_Fork, "the signals of children")        \
  SYMBOL(vfork, "the signals of children")        \
  SYMBOL(clone, "the signals of children")        \
  SYMBOL(forkpty, "the signals of children")      \
  SYMBOL(daemon, "the signals of children")       \
  SYMBOL(popen, "the signals of children")        \
  SYMBOL(system, "the signals of children")       \
  SYMBOL(posix_spawn, "the signals of children")  \
  SYMBOL(posix_spawnp, "the signals of children") \
  SYMBOL(wordexp, "the signals of children")      \
  SYMBOL(sigqueue, "queued signals")              \
  SYMBOL(timer_create, "queued signals")          \
  SYMBOL(mq_notify, "queued signals")             \
  SYMBOL(aio_read, "queued signals")              \
  SYMBOL(aio_read64, "queued signals")            \
  SYMBOL(aio_write, "queued signals")             \
  SYMBOL(aio_write64, "queued signals")           \
  SYMBOL(aio_fsync, "queued signals")             \
  SYMBOL(aio_fsync64, "queued signals")           \
  SYMBOL(lio_listio, "queued signals")            \
  SYMBOL(lio_listio64, "queued signals")          \
  SYMBOL(thrd_create, "the handlers in C11's threads")
