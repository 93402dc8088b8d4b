# What find_package(Kanor) finds, in the installed tree and in the build tree alike.
include(CMakePackageConfigHelpers)

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
