/// @file ploy/decide/desirability.h
/// How desirable the strategies of a fighter are: its evaluators as plain functions.
///
/// Each turns features of 0 to 1 (ploy_feature_distance, ploy_feature_share in
/// ploy/decide/arbiter.h) into a score that an arbiter compares with the others. An item is more
/// desirable the nearer it is and the more it is needed; an attack is desirable for a healthy and
/// well-armed agent; exploring is a small constant that wins when nothing else does. Because they
/// are functions of numbers and not of an agent, the same call predicts what an opponent will do.
///
/// The constants in the book are health 0.2, weapons 0.15, attack 1 and explore 0.05. For other
/// shapes use a ploy_curve (ploy/decide/utility.h). Technique: Buckland, "Programming
/// Game AI by Example", chapter 9. Differences: a distance of 0 or less is not an error, and the
/// result for NaN is 0.
///
/// Cost: O(1). Threads: any.
#pragma once

#include "ploy/base/api.h"

#include <stdbool.h>
#include <stdint.h>

/// Returns the desirability of a health pack: k (1 - health) / distance, clamped to [0, 1]. 0 at a
/// distance of 1, which means that none is in reach.
PLOY_API float ploy_desirability_health(float k, float health, float distance);
/// Returns the desirability of a weapon: k health (1 - strength) / distance, clamped in the same
/// manner. It is lower for a hurt agent and for one that has enough rounds.
/// @param strength  rounds carried of those that can be carried, 0 to 1.
PLOY_API float ploy_desirability_weapon(float k, float health, float strength, float distance);
/// Returns the desirability of an attack: k strength health, not clamped; 0 without a target.
/// @param strength  of all weapons, ploy_desirability_strength.
PLOY_API float ploy_desirability_attack(float k, float health, float strength, bool has_target);
/// Returns the strength of all weapons together: the mean of their shares. 0 without weapons.
PLOY_API float ploy_desirability_strength(const float *shares, int32_t count);
