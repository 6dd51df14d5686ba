# ploy_module(NAME base SOURCES a.c b.c DEPENDS geom exec)
#
# Each module is its own static target ploy_<name> with the alias ploy::<name>. Its objects are compiled once, as
# ploy_<name>_objects, and serve both that archive and the whole library (see PloyLibrary.cmake).
include(GNUInstallDirs)

# How every file of ours is compiled. Same bits everywhere: no contraction. The other two flags change no bit and
# let compilers vectorise.
add_library(ploy_options INTERFACE)
target_compile_options(ploy_options INTERFACE
  $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:-ffp-contract=off -fno-math-errno -fno-trapping-math>)
# Functions in headers are compiled by the programs that use them, so those need the first flag too: api.h refuses
# to compile without it where the processor can fuse products.
function(ploy_same_bits target)
  target_compile_options(${target} INTERFACE
    $<$<OR:$<C_COMPILER_ID:GNU,Clang,AppleClang>,$<CXX_COMPILER_ID:GNU,Clang,AppleClang>>:-ffp-contract=off>)
  target_compile_definitions(${target} INTERFACE PLOY_FP_CONTRACT_OFF)
endfunction()
ploy_same_bits(ploy_options)
if(PLOY_SMALL_CAPACITIES)
  target_compile_definitions(ploy_options INTERFACE PLOY_SMALL_CAPACITIES)
endif()
if(MINGW)
  # The C runtime of Windows prints numbers its own way otherwise; mingw's own stdio follows C11.
  target_compile_definitions(ploy_options INTERFACE __USE_MINGW_ANSI_STDIO=1)
endif()

add_library(ploy_warnings INTERFACE)
target_compile_options(ploy_warnings INTERFACE
  $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow>
  $<$<AND:$<COMPILE_LANGUAGE:C>,$<C_COMPILER_ID:GNU,Clang,AppleClang>>:-Wstrict-prototypes -Wmissing-prototypes>
  $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:-Wvla>)
if(MINGW)
  # Its isnan() and isfinite() name all three widths, also those that are not meant, and are warned about.
  target_compile_options(ploy_warnings INTERFACE -Wno-float-conversion)
endif()
if(PLOY_WERROR)
  target_compile_options(ploy_warnings INTERFACE $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:-Werror>)
endif()

# What all targets of the library share: language, visibility, where the headers are.
function(ploy_common target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden
    POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  # Wrapped, because these two are no business of a program that links the installed library.
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:ploy_options> $<BUILD_INTERFACE:ploy_warnings>)
endfunction()

# What a program or test of ours needs beside its libraries.
function(ploy_client target)
  # Linked as C, with C's flags (sanitizers), also where a component has C++ inside.
  set_target_properties(${target} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF LINKER_LANGUAGE C)
  target_link_libraries(${target} PRIVATE ploy_options ploy_warnings)
endfunction()

# The operating system's libraries that base needs: the thin layer in src/base/os*.c and the worker threads.
# PLOY_HEADER_LIBS is what a program needs itself, because functions in headers call it: sqrtf, not always inlined.
set(PLOY_SYSTEM_LIBS "")
set(PLOY_HEADER_LIBS "")
if(UNIX)
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
  list(APPEND PLOY_SYSTEM_LIBS Threads::Threads m)
  list(APPEND PLOY_HEADER_LIBS m)
elseif(WIN32)
  list(APPEND PLOY_SYSTEM_LIBS bcrypt)
endif()

set_property(GLOBAL PROPERTY PLOY_MODULES "")
function(ploy_module)
  cmake_parse_arguments(arg "" "NAME" "SOURCES;DEPENDS" ${ARGN})
  set(target ploy_${arg_NAME})
  add_library(${target}_objects OBJECT ${arg_SOURCES})
  ploy_common(${target}_objects)
  if(BUILD_SHARED_LIBS)
    target_compile_definitions(${target}_objects PRIVATE PLOY_SHARED PLOY_BUILD)
  endif()

  add_library(${target} STATIC $<TARGET_OBJECTS:${target}_objects>)
  add_library(ploy::${arg_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${arg_NAME} LINKER_LANGUAGE C)
  target_compile_features(${target} INTERFACE c_std_11)
  ploy_same_bits(${target})
  target_include_directories(${target} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  foreach(depend IN LISTS arg_DEPENDS)
    target_link_libraries(${target} PUBLIC ploy_${depend})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY PLOY_MODULES ${arg_NAME})
endfunction()
