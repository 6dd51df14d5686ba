/// @file ploy/decide/personality.h
/// Personalities from files: one file for each character, with all its tuning values.
///
///     { "bias": { "attack": 1.5, "hide": 0.6 },
///       "traits": { "accuracy": 0.8, "shotgun": 1.2, "keep_distance": 12 } }
///
/// `bias` multiplies the strategies of an arbiter; `traits` is a struct defined by the game with a
/// field table (ploy/base/fields.h): aiming accuracy, weapon preferences, constants of its
/// formulas. Each value is checked against its range, and every fault is reported with its
/// position; a fault in a trait also with the nearest name. Loading an edited file while the
/// character runs takes effect in the next step; if there is a fault, nothing changes. Technique:
/// Buckland, "Programming Game AI by Example", chapter 9.
///
/// Cost: O(values). Threads: as for the arbiter.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/decide/arbiter.h"

/// Reads a personality. Values that the file does not name are left unchanged.
/// @param fields   of the traits. @param traits  from their default; NULL: the file has none.
/// @param arbiter  NULL: the file has no biases.
/// @param diags    may be NULL.
/// @return PLOY_ERR_FORMAT with nothing changed, PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_personality_load(const void *bytes, size_t size, const char *name,
                                           ploy_fields fields, void *traits, ploy_arbiter *arbiter,
                                           ploy_diags *diags, const ploy_env *env);
