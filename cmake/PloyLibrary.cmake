# The whole library as one file: target ploy, alias ploy::ploy, from the modules' objects. Static by default,
# shared with BUILD_SHARED_LIBS; then only what PLOY_API marks is visible.
#
# A program may link ploy::ploy and a module's archive: each symbol has one home object in both, so the linker
# takes it from whichever comes first and never twice.
get_property(_modules GLOBAL PROPERTY PLOY_MODULES)
set(_objects "")
foreach(module IN LISTS _modules)
  list(APPEND _objects $<TARGET_OBJECTS:ploy_${module}_objects>)
endforeach()

add_library(ploy ${_objects})
add_library(ploy::ploy ALIAS ploy)
target_compile_features(ploy INTERFACE c_std_11)
ploy_same_bits(ploy)
target_include_directories(ploy INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# While the first number of the version is 0, minor versions may break, so both are part of the soname.
set_target_properties(ploy PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINKER_LANGUAGE C)
if(BUILD_SHARED_LIBS)
  target_compile_definitions(ploy INTERFACE PLOY_SHARED)
endif()

if(BUILD_SHARED_LIBS)
  target_link_libraries(ploy PRIVATE ${PLOY_SYSTEM_LIBS} PUBLIC ${PLOY_HEADER_LIBS})
  if(CMAKE_SYSTEM_NAME STREQUAL Linux)
    # Find out here, and not in a user's program, that something is missing.
    target_link_options(ploy PRIVATE -Wl,--no-undefined)
  endif()
else()
  target_link_libraries(ploy PUBLIC ${PLOY_SYSTEM_LIBS})
endif()
