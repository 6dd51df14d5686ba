# Toolchain: WebAssembly with clang and wasi-libc (Debian: clang lld wasi-libc libclang-rt-14-dev-wasm32). Programs
# are reactor modules: no main, exported functions, _initialize first.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar)
set(CMAKE_RANLIB llvm-ranlib)
# Elsewhere than in Debian the headers and libraries of wasi-libc need to be pointed at.
if(PLOY_WASI_SYSROOT)
  set(CMAKE_SYSROOT ${PLOY_WASI_SYSROOT})
endif()
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# A megabyte of stack, in front of the data, so that an overflow traps instead of overwriting.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-mexec-model=reactor -Wl,-z,stack-size=1048576 -Wl,--stack-first")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(PLOY_WASM ON)
