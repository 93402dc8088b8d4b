# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The public headers and the standard library lie in one folder once they are installed; in the build tree it is
# made of links.
file(REMOVE_RECURSE "${CMAKE_BINARY_DIR}/include")
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/include/kanor")
file(GLOB public_headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/runtime/include/kanor/*")
foreach(header IN LISTS public_headers)
  get_filename_component(name "${header}" NAME)
  file(CREATE_LINK "${header}" "${CMAKE_BINARY_DIR}/include/kanor/${name}" SYMBOLIC)
endforeach()
if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/stdlib/kanor/std")
  file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/stdlib/kanor/std" "${CMAKE_BINARY_DIR}/include/kanor/std" SYMBOLIC)
  install(DIRECTORY stdlib/kanor/std DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kanor)
endif()
