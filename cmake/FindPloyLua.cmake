# Lua 5.4 (Debian: liblua5.4-dev), also beside other releases. CMake's own FindLua takes any release.
#
# PloyLua_FOUND and the imported target PloyLua::Lua.
find_path(PloyLua_INCLUDE_DIR lua.h PATH_SUFFIXES lua5.4 lua-5.4 lua54)
find_library(PloyLua_LIBRARY NAMES lua5.4 lua-5.4 lua54)
mark_as_advanced(PloyLua_INCLUDE_DIR PloyLua_LIBRARY)
if(PloyLua_INCLUDE_DIR AND EXISTS ${PloyLua_INCLUDE_DIR}/lua.h)
  file(STRINGS ${PloyLua_INCLUDE_DIR}/lua.h _ploy_lua_version REGEX "define LUA_VERSION_NUM[ \t]+504")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PloyLua REQUIRED_VARS PloyLua_LIBRARY PloyLua_INCLUDE_DIR _ploy_lua_version)
if(PloyLua_FOUND AND NOT TARGET PloyLua::Lua)
  add_library(PloyLua::Lua UNKNOWN IMPORTED)
  set_target_properties(PloyLua::Lua PROPERTIES IMPORTED_LOCATION ${PloyLua_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${PloyLua_INCLUDE_DIR})
endif()
