/// @file ploy/base/os.h
/// The thin layer over the operating system: time, reserved memory, whole files. Everything else in
/// the core is portable C11. WebAssembly has no files; there, the file functions return
/// PLOY_ERR_UNSUPPORTED.
///
/// Paths are UTF-8 on every system, including Windows. Threads: every function may be called from
/// any thread.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/writer.h"

/// Returns the nanoseconds of a clock that never goes back.
PLOY_API uint64_t ploy_os_clock_ns(void);
/// Fills bytes from the system's random source. For tokens only, never for a simulation.
PLOY_API ploy_result ploy_os_random(void *bytes, size_t size);

/// Reserves a range of addresses, aligned to at least 4096 bytes. No part of the range may be
/// accessed before it is committed; then it reads as zero. The reservation uses no memory where the
/// system supports that; WebAssembly allocates all of it at once. Returns NULL if refused or if
/// size is 0.
PLOY_API void *ploy_os_reserve(size_t size);
/// Releases the whole range. NULL is allowed.
PLOY_API void ploy_os_release(void *address, size_t size);
/// Makes [offset, offset + size) usable. Parts that are already usable keep their contents.
/// @param address  as ploy_os_reserve returned it.
/// @return PLOY_ERR_MEMORY if the system is out of memory.
PLOY_API ploy_result ploy_os_commit(void *address, size_t offset, size_t size);

/// Reads a whole file.
/// @param limit  most bytes read; 0 means no limit. A larger file gives PLOY_ERR_LIMIT.
/// @param out    initialised here with env; empty on failure. Free it with ploy_buffer_fini.
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_SYSTEM, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_os_read_file(const char *path, size_t limit, const ploy_env *env,
                                       ploy_buffer *out);
/// Writes a whole file, first to a temporary file in the same folder, so that a failure leaves the
/// old file intact. Returns when the data is on disk. Links are followed, the old file's mode is
/// kept, and temporary files left by killed writers more than a minute ago are removed. Anything
/// that is not a regular file (a pipe, a device) is written in place. @return PLOY_ERR_NOT_FOUND if
/// the folder does not exist, PLOY_ERR_SYSTEM, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_os_write_file(const char *path, const void *bytes, size_t size,
                                        const ploy_env *env);
