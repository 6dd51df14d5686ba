/// @file ploy/decide/bt_library.h
/// A library of behavior trees by name: filled when a level is loaded, asked when a character is
/// made ("goon" thinks with "goon behavior").
///
/// It owns its trees. Cost: find O(trees). Threads: adding takes one caller at a time; finding may
/// run on many.
#pragma once

#include "ploy/decide/bt.h"

/// Opaque.
typedef struct ploy_bt_library ploy_bt_library;

PLOY_API ploy_result ploy_bt_library_create(const ploy_env *env, ploy_bt_library **out);
/// Frees its trees too; their instances must be gone. NULL is allowed.
PLOY_API void ploy_bt_library_destroy(ploy_bt_library *library);

/// Adds a tree under its own name and owns it from then on.
/// @return PLOY_ERR_EXISTS if the name is taken, PLOY_ERR_MEMORY; the tree stays the caller's then.
PLOY_API ploy_result ploy_bt_library_add(ploy_bt_library *library, ploy_bt *bt);

/// The tree of that name, or NULL.
PLOY_API const ploy_bt *ploy_bt_library_find(const ploy_bt_library *library, const char *name);
PLOY_API int32_t ploy_bt_library_count(const ploy_bt_library *library);

/// A fresh instance of the tree of that name, see ploy_bt_instance_create.
/// @return PLOY_ERR_NOT_FOUND if there is none.
PLOY_API ploy_result ploy_bt_library_make(const ploy_bt_library *library, const char *name,
                                          const ploy_bt_instance_def *def,
                                          ploy_semaphores *semaphores, const ploy_env *env,
                                          ploy_bt_instance **out);
