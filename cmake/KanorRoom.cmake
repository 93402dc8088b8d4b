# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One warnings target for all of our own code, and kanor_room(), which makes a
# static library of a folder and a test program of the *_test.cpp beside it.
include(GNUInstallDirs)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(kanor_warnings INTERFACE)
target_compile_options(kanor_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow=local -Werror)
# g++ 12 sees overlaps in std::string's operator+ that are not there once it inlines (GCC's bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(kanor_warnings INTERFACE -Wno-restrict)
endif()

add_library(kanor_sanitize INTERFACE)
if(KANOR_SANITIZE)
  target_compile_options(kanor_sanitize INTERFACE -fsanitize=${KANOR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(kanor_sanitize INTERFACE -fsanitize=${KANOR_SANITIZE})
endif()

# What most files include, and what is slow to parse.
set(kanor_standard_headers <algorithm> <array> <atomic> <cstring> <deque> <functional> <map> <memory> <optional> <random>
                           <string> <thread> <utility> <vector>)

# kanor_precompile_standard(library) gives the sources of a runtime's room these headers, parsed once for all rooms: a third
# of the compilation of most. The files include what they use nevertheless: the release preset builds without. (Not the
# compiler's rooms, where g++ 12 then sees overlaps in std::string's operator+, which are not there.)
function(kanor_precompile_standard library)
  get_property(owner GLOBAL PROPERTY kanor_standard_owner)
  if(owner)
    target_precompile_headers(${library} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${library} PRIVATE ${kanor_standard_headers})
    set_property(GLOBAL PROPERTY kanor_standard_owner ${library})
  endif()
  kanor_precompiled_for_ccache(${library})
endfunction()

# kanor_precompile_gtest(target) gives a test program gtest's header, parsed once for all of them: a third to a
# half of the compilation of most. ccache wants to be told that macros which only the precompiled header sees,
# and __DATE__ in it, are the same.
function(kanor_precompile_gtest target)
  get_property(owner GLOBAL PROPERTY kanor_gtest_owner)
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE <gtest/gtest.h>)
    set_property(GLOBAL PROPERTY kanor_gtest_owner ${target})
  endif()
  # Under Address- and UndefinedBehaviorSanitizer the optimiser has most of the time: 10 of 12 s for a large test. What
  # is tested stays optimised.
  if(KANOR_SANITIZE MATCHES "address")
    target_compile_options(${target} PRIVATE -O0)
  endif()
  # Old words of LLVM's, which C++ has not needed since 2011: a precompiled header has to be compiled with all of
  # them or none.
  if(TARGET kanor_clang)
    target_compile_options(${target} PRIVATE -U__STDC_CONSTANT_MACROS -U__STDC_FORMAT_MACROS -U__STDC_LIMIT_MACROS)
  endif()
  kanor_precompiled_for_ccache(${target})
endfunction()

function(kanor_precompiled_for_ccache target)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()

# kanor_room(NAME text INCLUDE_ROOT dir [DEPENDS lib ...] [APART pattern ...])
# makes the library kanor_NAME from this folder's *.cpp and, with KANOR_TESTS,
# the test program kanor_NAME_test from its *_test.cpp. A build with sanitizers compiles the files of a room of the
# runtime together, but for those that are APART: their unnamed namespaces have names of other files', too, or a program
# links only some of them.
function(kanor_room)
  cmake_parse_arguments(ROOM "" "NAME;INCLUDE_ROOT" "DEPENDS;TEST_DEPENDS;OPTIONS;APART" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  set(library kanor_${ROOM_NAME})
  if(sources)
    add_library(${library} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(${library} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${library} ${scope} ${ROOM_INCLUDE_ROOT})
  target_link_libraries(${library} ${scope} ${ROOM_DEPENDS} $<BUILD_INTERFACE:kanor_sanitize>)
  if(sources)
    target_link_libraries(${library} PRIVATE $<BUILD_INTERFACE:kanor_warnings>)
    target_compile_options(${library} PRIVATE ${ROOM_OPTIONS})
    if(ROOM_NAME MATCHES "^runtime_" AND NOT KANOR_SANITIZE)
      kanor_precompile_standard(${library})
    elseif(ROOM_NAME MATCHES "^runtime_")
      # Nobody edits and builds with sanitizers: parsing the same headers for each file is half of such a build.
      set_target_properties(${library} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
      file(GLOB apart ${ROOM_APART})
      set_source_files_properties(${apart} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endif()
  if(KANOR_TESTS AND tests)
    add_executable(${library}_test ${tests})
    target_link_libraries(${library}_test PRIVATE ${library} ${ROOM_TEST_DEPENDS} kanor_warnings GTest::gtest GTest::gtest_main)
    kanor_precompile_gtest(${library}_test)
    add_test(NAME ${ROOM_NAME} COMMAND ${library}_test)
    # Sanitizers make a test several times slower.
    if(KANOR_SANITIZE)
      set_tests_properties(${ROOM_NAME} PROPERTIES TIMEOUT 400)
    else()
      set_tests_properties(${ROOM_NAME} PROPERTIES TIMEOUT 120)
    endif()
  endif()
endfunction()
