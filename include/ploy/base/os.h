/// @file ploy/base/os.h
/// The thin layer over the operating system: time, reserved memory, whole files. Everything else
/// in the core is portable C11. In WebAssembly there are no files; those calls return
/// PLOY_ERR_UNSUPPORTED there.
///
/// Paths are UTF-8 everywhere, on Windows too. Threads: every function may be called from any.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/writer.h"

/// Nanoseconds of a clock that never goes back.
PLOY_API uint64_t ploy_os_clock_ns(void);
/// Fills bytes from the system's random source: for tokens only, never for a simulation.
PLOY_API ploy_result ploy_os_random(void *bytes, size_t size);
/// Logical processors, at least 1.
PLOY_API int32_t ploy_os_processors(void);

/// Reserves a range of addresses, aligned to 4096 bytes at least. Nothing of it may be touched
/// before it is committed; then it reads as zero. Costs no memory where the system can do that;
/// WebAssembly takes it all at once. NULL if refused or if size is 0.
PLOY_API void *ploy_os_reserve(size_t size);
/// Gives back the whole range. NULL is allowed.
PLOY_API void ploy_os_release(void *address, size_t size);
/// Makes [offset, offset + size) usable. Parts that are usable already keep their contents.
/// @param address  as ploy_os_reserve returned it.
/// @return PLOY_ERR_MEMORY if the system has no more.
PLOY_API ploy_result ploy_os_commit(void *address, size_t offset, size_t size);

/// Reads a whole file.
/// @param limit  most bytes taken; 0 means no limit. A larger file gives PLOY_ERR_LIMIT.
/// @param out    set up here, over env; empty on failure. Free it with ploy_buffer_fini.
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_SYSTEM, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_os_read_file(const char *path, size_t limit, const ploy_env *env,
                                       ploy_buffer *out);
/// Writes a whole file: to a temporary one beside it first, so that a failure leaves the old one
/// whole, and returns when it is on the disk. Links are followed, the old file's mode is kept, and
/// temporary files that killed writers left more than a minute ago are removed. What is not a
/// regular file (a pipe, a device) is written in place. @return PLOY_ERR_NOT_FOUND if the folder
/// does not exist, PLOY_ERR_SYSTEM, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_os_write_file(const char *path, const void *bytes, size_t size,
                                        const ploy_env *env);
