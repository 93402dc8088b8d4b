# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What find_package(Kanor) and pkg-config find, in the installed tree and in the build tree alike.
include(CMakePackageConfigHelpers)

# A program links these by the options that kanorc links with (compiler/driver/link/link_command.cpp).
set(package_link_options ${kanor_wrap_options} -Wl,-u,main)
foreach(function IN LISTS kanor_wrapped_mpi)
  list(APPEND package_link_options "-Wl,--wrap=${function},-u,__wrap_${function}")
endforeach()
# C programs name the C++ library that libkanor.a needs.
set(package_link_libraries stdc++ m dl)

set(package_source "${CMAKE_CURRENT_SOURCE_DIR}/cmake/package")
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Kanor")
set(package_build "${CMAKE_BINARY_DIR}/lib/cmake/Kanor")
configure_package_config_file("${package_source}/KanorConfig.cmake.in" "${package_build}/KanorConfig.cmake"
  INSTALL_DESTINATION "${package_folder}" INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}"
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${package_build}/KanorConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
configure_file("${package_source}/KanorTargets.cmake" "${package_build}/KanorTargets.cmake" COPYONLY)
install(FILES "${package_build}/KanorConfig.cmake" "${package_build}/KanorConfigVersion.cmake"
              "${package_build}/KanorTargets.cmake" DESTINATION "${package_folder}")

# The two trees differ where CMAKE_INSTALL_LIBDIR is not lib.
list(JOIN package_link_options " " pkgconfig_options)
list(TRANSFORM package_link_libraries PREPEND "-l" OUTPUT_VARIABLE pkgconfig_libraries)
list(JOIN pkgconfig_libraries " " pkgconfig_libraries)
function(package_pkgconfig file libraries headers)
  file(RELATIVE_PATH pkgconfig_headers "/${libraries}/pkgconfig" "/${headers}")
  configure_file("${package_source}/kanor.pc.in" "${file}" @ONLY)
endfunction()
package_pkgconfig("${CMAKE_BINARY_DIR}/lib/pkgconfig/kanor.pc" lib include)
package_pkgconfig("${CMAKE_BINARY_DIR}/cmake/kanor.pc" "${CMAKE_INSTALL_LIBDIR}" "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${CMAKE_BINARY_DIR}/cmake/kanor.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
