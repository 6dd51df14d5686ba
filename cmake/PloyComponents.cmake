# Components: parts of ploy that need something beyond libc. Each is on when that is found, and off otherwise or
# by its option. They are clients of the public headers only, so they link a shared ploy as well as a static one.

# ploy_component(NAME inspect_png SOURCES ... LINK PNG::PNG [NEEDS PNG])
# NEEDS names the packages that a program which uses the installed component has to find.
function(ploy_component)
  cmake_parse_arguments(arg "" "NAME" "SOURCES;LINK;NEEDS" ${ARGN})
  set(target ploy_${arg_NAME})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(ploy::${arg_NAME} ALIAS ${target})
  ploy_common(${target})
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} INTERFACE c_std_11)
  target_link_libraries(${target} PUBLIC ploy)
  if(arg_LINK)
    target_link_libraries(${target} PRIVATE ${arg_LINK})
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${arg_NAME})
  set_property(GLOBAL APPEND PROPERTY PLOY_COMPONENTS ${arg_NAME})
  set_property(GLOBAL PROPERTY PLOY_COMPONENT_${arg_NAME}_NEEDS ${arg_NEEDS})
endfunction()

# PNG pictures, through libpng.
option(PLOY_INSPECT_PNG "Component inspect_png: PNG snapshots, if libpng is found" ON)
if(PLOY_INSPECT_PNG AND EXISTS ${PROJECT_SOURCE_DIR}/src/inspect/png.c)
  find_package(PNG QUIET)
  if(PNG_FOUND)
    ploy_component(NAME inspect_png SOURCES ${PROJECT_SOURCE_DIR}/src/inspect/png.c LINK PNG::PNG NEEDS PNG)
  elseif(PLOY_TOP_LEVEL)
    message(STATUS "libpng not found: no component inspect_png")
  endif()
endif()

# Pictures read from PNG files, through libpng.
option(PLOY_DATA_PNG "Component data_png: pictures from PNG files, if libpng is found" ON)
if(PLOY_DATA_PNG AND EXISTS ${PROJECT_SOURCE_DIR}/src/data/png.c)
  find_package(PNG QUIET)
  if(PNG_FOUND)
    ploy_component(NAME data_png SOURCES ${PROJECT_SOURCE_DIR}/src/data/png.c LINK PNG::PNG NEEDS PNG)
  elseif(PLOY_TOP_LEVEL)
    message(STATUS "libpng not found: no component data_png")
  endif()
endif()

# Compressed layers of Tiled maps, through zlib and libzstd.
option(PLOY_DATA_COMPRESSION "Component data_compression: zlib, gzip and zstd, if both libraries are found" ON)
if(PLOY_DATA_COMPRESSION AND EXISTS ${PROJECT_SOURCE_DIR}/src/data/compression.c)
  find_package(ZLIB QUIET)
  find_path(PLOY_ZSTD_INCLUDE zstd.h)
  find_library(PLOY_ZSTD_LIBRARY zstd)
  mark_as_advanced(PLOY_ZSTD_INCLUDE PLOY_ZSTD_LIBRARY)
  if(ZLIB_FOUND AND PLOY_ZSTD_INCLUDE AND PLOY_ZSTD_LIBRARY AND NOT CMAKE_CROSSCOMPILING)
    ploy_component(NAME data_compression SOURCES ${PROJECT_SOURCE_DIR}/src/data/compression.c LINK ZLIB::ZLIB zstd
      NEEDS ZLIB)
  elseif(PLOY_TOP_LEVEL)
    message(STATUS "zlib or libzstd not found: no component data_compression")
  endif()
endif()

# The HTTP and WebSocket server, where there are sockets, with the studio's page built in.
option(PLOY_INSPECT_HTTP "Component inspect_http: the inspector's server, where there are sockets" ON)
file(GLOB _http_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/inspect/http*.c)
if(PLOY_INSPECT_HTTP AND _http_sources AND (UNIX OR WIN32))
  # studio/dist is made by `make` (npm run build); without it a plain page stands in its place.
  file(GLOB _studio CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/studio/dist/index.html)
  if(_studio)
    set(_page ${PROJECT_SOURCE_DIR}/studio/dist)
  else()
    set(_page ${PROJECT_SOURCE_DIR}/cmake/page)
  endif()
  file(GLOB_RECURSE _page_files CONFIGURE_DEPENDS ${_page}/*)
  set(_assets ${PROJECT_BINARY_DIR}/ploy_studio_assets.c)
  add_custom_command(OUTPUT ${_assets}
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${_page} -D OUT=${_assets} -P ${PROJECT_SOURCE_DIR}/cmake/PloyAssets.cmake
    DEPENDS ${_page_files} ${PROJECT_SOURCE_DIR}/cmake/PloyAssets.cmake
    COMMENT "Packing the page in ${_page}" VERBATIM)
  ploy_component(NAME inspect_http SOURCES ${_http_sources} ${_assets})
  if(WIN32)
    target_link_libraries(ploy_inspect_http PRIVATE ws2_32)
  endif()
endif()

# Navigation meshes from triangles, through Recast: C++ inside, a C interface outside.
option(PLOY_PATH_RECAST "Component path_recast: navigation meshes from triangles, if Recast is found" ON)
if(PLOY_PATH_RECAST AND NOT CMAKE_CROSSCOMPILING)
  include(CheckLanguage)
  check_language(CXX)
  find_package(Recast QUIET)
  if(Recast_FOUND AND CMAKE_CXX_COMPILER)
    enable_language(CXX)
    # A project that knows C alone links it too, so the C++ library is named.
    set(_cxx stdc++)
    if(APPLE)
      set(_cxx c++)
    endif()
    ploy_component(NAME path_recast SOURCES ${PROJECT_SOURCE_DIR}/src/path/recast.cpp
      ${PROJECT_SOURCE_DIR}/src/path/recast_level.cpp ${PROJECT_SOURCE_DIR}/src/path/recast_tile.cpp LINK Recast::Recast ${_cxx}
      NEEDS Recast)
    set_target_properties(ploy_path_recast PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
      CXX_VISIBILITY_PRESET hidden)
    target_compile_options(ploy_path_recast PRIVATE -fno-exceptions -fno-rtti)
  elseif(PLOY_TOP_LEVEL)
    message(STATUS "Recast or a C++ compiler not found: no component path_recast")
  endif()
endif()

# Scripts in Lua 5.4, through liblua5.4.
option(PLOY_SCRIPT_LUA "Component script_lua: Lua 5.4 in a sandbox, if liblua5.4 is found" ON)
if(PLOY_SCRIPT_LUA AND NOT CMAKE_CROSSCOMPILING)
  find_package(PloyLua QUIET)
  if(PloyLua_FOUND)
    set(_script_sources account calls config host lib_base lib_coroutine lib_math lib_order lib_pattern
      lib_string lib_table lua_sim objects reach state tokens values)
    list(APPEND _script_sources minds minds_behavior minds_keep minds_machine minds_probe minds_stage)
    list(TRANSFORM _script_sources PREPEND ${PROJECT_SOURCE_DIR}/src/script/)
    list(TRANSFORM _script_sources APPEND .c)
    ploy_component(NAME script_lua SOURCES ${_script_sources} LINK PloyLua::Lua NEEDS PloyLua)
  elseif(PLOY_TOP_LEVEL)
    message(STATUS "liblua5.4 not found: no component script_lua")
  endif()
endif()

# The library's functions for those scripts. The tables are written at build time from the headers, which takes Node
# and clang.
option(PLOY_SCRIPT_BIND "Component script_bind: the library's functions in Lua, if Node and clang are found" ON)
if(PLOY_SCRIPT_BIND AND TARGET ploy_script_lua)
  find_program(PLOY_NODE NAMES node nodejs)
  find_program(PLOY_CLANG NAMES clang)
  mark_as_advanced(PLOY_NODE PLOY_CLANG)
  if(PLOY_NODE AND PLOY_CLANG)
    set(_bind ${PROJECT_BINARY_DIR}/bind)
    set(_bind_tables types base board data decide exec generate geom learn move path search tactics world)
    list(TRANSFORM _bind_tables PREPEND ${_bind}/bind_)
    list(TRANSFORM _bind_tables APPEND .c)
    file(GLOB_RECURSE _bind_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/ploy/*.h)
    set(_tools ${PROJECT_SOURCE_DIR}/tools)
    add_custom_command(OUTPUT ${_bind_tables} ${_bind}/unbound.txt
      COMMAND ${PLOY_NODE} ${_tools}/api-json.mjs ${_bind}/ploy_api.json
      COMMAND ${PLOY_NODE} ${_tools}/bind-lua.mjs ${_bind}/ploy_api.json ${_bind}
      DEPENDS ${_bind_headers} ${_tools}/api-json.mjs ${_tools}/api-roles.mjs ${_tools}/api-roles.json
              ${_tools}/bind-lua.mjs
      COMMENT "Writing the bindings for Lua" VERBATIM)
    set(_bind_sources bind bind_box bind_call bind_host bind_push bind_read)
    list(TRANSFORM _bind_sources PREPEND ${PROJECT_SOURCE_DIR}/src/script/)
    list(TRANSFORM _bind_sources APPEND .c)
    ploy_component(NAME script_bind SOURCES ${_bind_sources} ${_bind_tables} LINK PloyLua::Lua NEEDS PloyLua)
    target_link_libraries(ploy_script_bind PUBLIC ploy_script_lua)
    target_include_directories(ploy_script_bind PRIVATE ${PROJECT_SOURCE_DIR}/src)
    # Thunks only pass arguments on; the calls themselves are in the library.
    set_source_files_properties(${_bind_tables} PROPERTIES COMPILE_OPTIONS "-O1")
  elseif(PLOY_TOP_LEVEL)
    message(STATUS "node or clang not found: no component script_bind")
  endif()
endif()
