/// @file ploy/exec/maker.h
/// How a shared definition makes the behaviors that are nested in it.
///
/// A tree or a machine is one definition for a thousand characters, but a behavior inside it has
/// run-time state of its own for each of them. So the definition keeps a maker, and every instance
/// calls it once for itself, when it is created. Every technique offers itself as a maker, which is
/// how any of them holds any other.
#pragma once

#include "ploy/exec/behavior.h"

/// Makes one character's behavior. All zero means none.
typedef struct ploy_maker {
    /// Sets *out on PLOY_OK; whoever asked destroys it with ploy_behavior_destroy.
    ploy_result (*make)(void *user, const ploy_env *env, ploy_behavior *out);
    void *user; ///< immutable, as it is shared by all instances
} ploy_maker;

/// The maker that makes nothing.
PLOY_API ploy_maker ploy_maker_none(void);

static inline bool ploy_maker_is_none(ploy_maker maker) {
    return maker.make == NULL;
}

/// Calls it. None makes the behavior none.
/// @return PLOY_ERR_CALLBACK if it said PLOY_OK and made nothing that can step.
PLOY_API ploy_result ploy_maker_make(ploy_maker maker, const ploy_env *env, ploy_behavior *out);
