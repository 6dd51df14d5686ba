/// @file ploy/exec/behavior_visit.h
/// Visiting what an object holds: behaviors and blackboards (see ploy/base/visit.h).
#pragma once

#include "ploy/base/visit.h"
#include "ploy/exec/behavior.h"

/// A behavior that is entered. Described as a group of that name, saved with ploy_behavior_save and
/// loaded with ploy_behavior_load instead of an enter, so that exactly one exit must follow a load
/// that got so far, also if it fails later: visit behaviors last.
/// @param context  for a load; may be NULL in the other modes.
PLOY_API void ploy_visit_behavior(ploy_visit *v, const char *name, ploy_behavior behavior,
                                  ploy_step_context *context);
