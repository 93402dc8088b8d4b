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

# kanor_compile_together(target number): so many files in one.
function(kanor_compile_together target files)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
endfunction()

# kanor_link_gtest(target): a program of tests.
function(kanor_link_gtest target)
  target_link_libraries(${target} PRIVATE kanor_warnings GTest::gtest GTest::gtest_main)
  # Under Address- and UndefinedBehaviorSanitizer the optimiser has most of the time: 10 of 12 s for a large test. What
  # is tested stays optimised.
  if(KANOR_SANITIZE MATCHES "address")
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# kanor_room(NAME text INCLUDE_ROOT dir [DEPENDS lib ...] [APART pattern ...])
# makes the library kanor_NAME from this folder's *.cpp and, with KANOR_TESTS,
# the test program kanor_NAME_test from its *_test.cpp. Files are compiled several together, because parsing the same
# headers for each is most of the work; not those that are APART: their unnamed namespaces have names of other files',
# too. The runtime's are apart in a build without tests, which is what is installed: programs link only some of them.
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
  foreach(pattern ${ROOM_APART})
    file(GLOB apart ${pattern})
    if(NOT apart)
      message(FATAL_ERROR "${ROOM_NAME}: there is no file '${pattern}' to be APART")
    endif()
    set_source_files_properties(${apart} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
  target_include_directories(${library} ${scope} ${ROOM_INCLUDE_ROOT})
  target_link_libraries(${library} ${scope} ${ROOM_DEPENDS} $<BUILD_INTERFACE:kanor_sanitize>)
  if(sources)
    target_link_libraries(${library} PRIVATE $<BUILD_INTERFACE:kanor_warnings>)
    target_compile_options(${library} PRIVATE ${ROOM_OPTIONS})
    if(KANOR_TESTS OR NOT ROOM_NAME MATCHES "^runtime_")
      kanor_compile_together(${library} 6)
    endif()
  endif()
  if(KANOR_TESTS AND tests)
    add_executable(${library}_test ${tests})
    target_link_libraries(${library}_test PRIVATE ${library} ${ROOM_TEST_DEPENDS})
    kanor_link_gtest(${library}_test)
    kanor_compile_together(${library}_test 4)
    add_test(NAME ${ROOM_NAME} COMMAND ${library}_test)
    # Sanitizers make a test several times slower.
    if(KANOR_SANITIZE)
      set_tests_properties(${ROOM_NAME} PROPERTIES TIMEOUT 400)
    else()
      set_tests_properties(${ROOM_NAME} PROPERTIES TIMEOUT 120)
    endif()
  endif()
endfunction()
