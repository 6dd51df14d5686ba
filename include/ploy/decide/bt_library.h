/// @file ploy/decide/bt_library.h
/// A library of behavior trees by name: filled when a level is loaded, searched when a character is
/// created ("goon" uses "goon behavior").
///
/// The library owns its trees. Cost: find O(trees). Threads: adding takes one caller at a time;
/// finding may run on many threads.
#pragma once

#include "ploy/decide/bt.h"

/// Opaque.
typedef struct ploy_bt_library ploy_bt_library;

PLOY_API ploy_result ploy_bt_library_create(const ploy_env *env, ploy_bt_library **out);
/// Frees the library and its trees; destroy their instances first. NULL is allowed.
PLOY_API void ploy_bt_library_destroy(ploy_bt_library *library);

/// Adds a tree under the tree's name and takes ownership of it.
/// @return PLOY_ERR_EXISTS if the name is taken, PLOY_ERR_MEMORY; the caller then still owns the
///         tree.
PLOY_API ploy_result ploy_bt_library_add(ploy_bt_library *library, ploy_bt *bt);

/// Returns the tree of that name, or NULL.
PLOY_API const ploy_bt *ploy_bt_library_find(const ploy_bt_library *library, const char *name);
PLOY_API int32_t ploy_bt_library_count(const ploy_bt_library *library);

/// Creates an instance of the tree of that name, see ploy_bt_instance_create.
/// @return PLOY_ERR_NOT_FOUND if there is none.
PLOY_API ploy_result ploy_bt_library_make(const ploy_bt_library *library, const char *name,
                                          const ploy_bt_instance_def *def,
                                          ploy_semaphores *semaphores, const ploy_env *env,
                                          ploy_bt_instance **out);
