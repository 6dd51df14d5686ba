/// @file ploy/exec/behavior_visit.h
/// Visiting what an object holds: behaviors and blackboards (see ploy/base/visit.h).
#pragma once

#include "ploy/base/visit.h"
#include "ploy/exec/behavior.h"
#include "ploy/exec/maker.h"

/// Visits a behavior that has been entered. It is described as a group of that name, saved with
/// ploy_behavior_save and loaded with ploy_behavior_load in place of enter. Once a load has come
/// this far, exactly one exit must follow, even if the load fails later; so visit behaviors last.
/// @param context  for a load; may be NULL in the other modes.
PLOY_API void ploy_visit_behavior(ploy_visit *v, const char *name, ploy_behavior behavior,
                                  ploy_step_context *context);

/// A nested behavior. STATE: described as a group of that name and saved. SAVED: only saved, and
/// the holder describes it where it belongs. DERIVED: neither; only its memory. A load continues it
/// with the step context in v->context; where the file has nothing, it is entered.
/// @param env    the holder's.
/// @param place  see ploy_nested_enter.
PLOY_API void ploy_visit_nested(ploy_visit *v, const char *name, ploy_mark mark,
                                ploy_nested *nested, const ploy_env *env, const char *place);

/// For loads: the saved state cannot be continued, so the behavior is entered instead. The visitor
/// reports why, calls this and returns. A strict load fails.
PLOY_API void ploy_visit_restart(ploy_visit *v, ploy_behavior behavior);

/// A status, described and saved as its text.
PLOY_API void ploy_visit_status(ploy_visit *v, const char *name, ploy_mark mark,
                                ploy_status *status);
