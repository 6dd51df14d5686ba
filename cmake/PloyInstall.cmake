# What `cmake --install` puts where: headers, libraries, the CMake package (find_package(ploy)) and the pkg-config
# files (pkg-config ploy). Nothing installed names an absolute path, so the tree can be moved after installing.
include(CMakePackageConfigHelpers)
get_property(_modules GLOBAL PROPERTY PLOY_MODULES)
get_property(_components GLOBAL PROPERTY PLOY_COMPONENTS)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ploy DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")

set(_targets ploy)
if(NOT BUILD_SHARED_LIBS)
  # A shared ploy is one file; ployConfig.cmake then lets ploy::base and the others stand for it.
  foreach(module IN LISTS _modules)
    list(APPEND _targets ploy_${module})
  endforeach()
endif()
# Everything that gets installed, and nothing else: what `make install` builds.
set(_component_targets ${_components})
list(TRANSFORM _component_targets PREPEND ploy_)
add_custom_target(ploy_installed DEPENDS ${_targets} ${_component_targets})
set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/ploy)
# ploy_export(<name> <target>...): each component has a file of targets, so that a program needs only the packages of
# the components that it asks for.
function(ploy_export NAME)
  install(TARGETS ${ARGN} EXPORT ${NAME}Targets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT ${NAME}Targets NAMESPACE ploy:: DESTINATION ${_package})
endfunction()
ploy_export(ploy ${_targets})
set(PLOY_COMPONENT_NEEDS "")
foreach(component IN LISTS _components)
  ploy_export(ploy_${component} ploy_${component})
  get_property(_needs GLOBAL PROPERTY PLOY_COMPONENT_${component}_NEEDS)
  string(APPEND PLOY_COMPONENT_NEEDS "set(_ploy_${component}_needs ${_needs})\n")
endforeach()
set(PLOY_INSTALLED_MODULES ${_modules})
set(PLOY_INSTALLED_COMPONENTS ${_components})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ployConfig.cmake.in ${PROJECT_BINARY_DIR}/ployConfig.cmake
  INSTALL_DESTINATION ${_package})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(_compatibility SameMinorVersion)
else()
  set(_compatibility SameMajorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ployConfigVersion.cmake COMPATIBILITY ${_compatibility})
install(FILES ${PROJECT_BINARY_DIR}/ployConfig.cmake ${PROJECT_BINARY_DIR}/ployConfigVersion.cmake
  DESTINATION ${_package})
if(TARGET ploy_path_recast)
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/FindRecast.cmake DESTINATION ${_package})
endif()

# pkg-config. A static library has to name what it needs itself; a shared one carries that.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  message(WARNING "ploy.pc is relocatable only with relative CMAKE_INSTALL_LIBDIR and CMAKE_INSTALL_INCLUDEDIR")
endif()
file(RELATIVE_PATH PLOY_PC_UP "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" PLOY_PC_UP "${PLOY_PC_UP}")
set(_system "")
set(_math "")
if(UNIX)
  set(_system " -pthread")
  set(_math " -lm")
elseif(WIN32)
  set(_system " -lbcrypt")
endif()

# ploy_pc(<file name> <description> <own -l> <requires> <private -l> <cflags>)
function(ploy_pc PC_NAME PC_DESCRIPTION PC_LIBS PC_REQUIRES PC_LIBS_PRIVATE PC_CFLAGS)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/ploy.pc.in ${PROJECT_BINARY_DIR}/${PC_NAME}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${PC_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
if(BUILD_SHARED_LIBS)
  ploy_pc(ploy "${PROJECT_DESCRIPTION}" "-lploy${_math}" "" "${_system}" "-DPLOY_SHARED -ffp-contract=off -DPLOY_FP_CONTRACT_OFF")
else()
  ploy_pc(ploy "${PROJECT_DESCRIPTION}" "-lploy${_system}${_math}" "" ""
    "-ffp-contract=off -DPLOY_FP_CONTRACT_OFF")
endif()
if(TARGET ploy_inspect_png)
  ploy_pc(ploy-inspect-png "PNG pictures from ploy" "-lploy_inspect_png" "ploy, libpng" "" "")
endif()
if(TARGET ploy_data_png)
  ploy_pc(ploy-data-png "PNG files for ploy" "-lploy_data_png" "ploy, libpng" "" "")
endif()
if(TARGET ploy_data_compression)
  ploy_pc(ploy-data-compression "Compressed Tiled layers for ploy" "-lploy_data_compression" "ploy, zlib, libzstd" "" "")
endif()
if(TARGET ploy_inspect_http)
  set(_sockets "-lploy_inspect_http")
  if(WIN32)
    string(APPEND _sockets " -lws2_32")
  endif()
  ploy_pc(ploy-inspect-http "The inspector of ploy over HTTP and WebSocket" "${_sockets}" "ploy" "" "")
endif()
if(TARGET ploy_path_recast)
  ploy_pc(ploy-path-recast "Navigation meshes from triangles for ploy" "-lploy_path_recast -lRecast -lstdc++" "ploy"
    "" "")
endif()
