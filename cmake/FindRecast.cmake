# Recast, and Detour beside it, from librecast (Debian: librecast-dev), which brings no package file of its own.
#
# Recast_FOUND, and the imported targets Recast::Recast and, where it is, Recast::Detour.
find_path(Recast_INCLUDE_DIR Recast.h PATH_SUFFIXES recastnavigation recast)
find_library(Recast_LIBRARY Recast)
find_path(Recast_DETOUR_INCLUDE_DIR DetourNavMesh.h PATH_SUFFIXES recastnavigation detour)
find_library(Recast_DETOUR_LIBRARY Detour)
mark_as_advanced(Recast_INCLUDE_DIR Recast_LIBRARY Recast_DETOUR_INCLUDE_DIR Recast_DETOUR_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Recast REQUIRED_VARS Recast_LIBRARY Recast_INCLUDE_DIR)
if(Recast_FOUND AND NOT TARGET Recast::Recast)
  add_library(Recast::Recast UNKNOWN IMPORTED)
  set_target_properties(Recast::Recast PROPERTIES IMPORTED_LOCATION ${Recast_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${Recast_INCLUDE_DIR})
endif()
if(Recast_DETOUR_LIBRARY AND Recast_DETOUR_INCLUDE_DIR AND NOT TARGET Recast::Detour)
  add_library(Recast::Detour UNKNOWN IMPORTED)
  set_target_properties(Recast::Detour PROPERTIES IMPORTED_LOCATION ${Recast_DETOUR_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${Recast_DETOUR_INCLUDE_DIR})
endif()
