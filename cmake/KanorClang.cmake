# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Clang and LLVM 19 for the rooms of compiler/host, as shared libraries. These have no RTTI, so neither has code that
# derives from their classes; their headers give warnings that are not ours, hence SYSTEM. (Clang's own CMake package
# would also want every static library and LLVM's test programs.)
find_program(KANOR_LLVM_CONFIG NAMES llvm-config-19 PATHS /usr/lib/llvm-19/bin REQUIRED)
execute_process(COMMAND "${KANOR_LLVM_CONFIG}" --prefix OUTPUT_VARIABLE KANOR_LLVM_PREFIX
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${KANOR_LLVM_PREFIX}/bin/clang" -print-resource-dir OUTPUT_VARIABLE KANOR_CLANG_RESOURCE_DIR
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_library(KANOR_CLANG_CPP NAMES clang-cpp PATHS "${KANOR_LLVM_PREFIX}/lib" NO_DEFAULT_PATH REQUIRED)
find_library(KANOR_LLVM NAMES LLVM-19 PATHS "${KANOR_LLVM_PREFIX}/lib" NO_DEFAULT_PATH REQUIRED)
if(NOT TARGET kanor_clang)
  add_library(kanor_clang INTERFACE)
  target_include_directories(kanor_clang SYSTEM INTERFACE "${KANOR_LLVM_PREFIX}/include")
  target_compile_definitions(kanor_clang INTERFACE _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
  target_link_libraries(kanor_clang INTERFACE "${KANOR_CLANG_CPP}" "${KANOR_LLVM}")
endif()
