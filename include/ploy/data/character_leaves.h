/// @file ploy/data/character_leaves.h
/// Leaves of behavior trees that move the characters of a cast (ploy/data/character.h).
///
/// | node         | attributes                     | what it does                                  |
/// |--------------|--------------------------------|-----------------------------------------------|
/// | `Go`         | `place` (vec2), `speed` (m/s)  | walks there on a path; follows a place that   |
/// |              |                                | moves; fails if there is no path              |
/// | `LookAround` | `seconds`, `rate` (rad/s)      | turns where it is for that time; rate 1.5 if  |
/// |              |                                | it is missing                                 |
///
/// A tree file gets them with two settings, beside the game's own leaves:
///
///     file.find = ploy_character_leaf;
///     file.find_user = cast;
///
/// Each leaf releases only what it acquired: below a reactive node the leaf that takes over has
/// started before the old one stops, so `Go` stops its own trip and no other (ploy_cast_go).
///
/// Cost: a path request when Go starts. Threads: as the cast; for serial engines.
#pragma once

#include "ploy/data/bt_file.h"
#include "ploy/data/character.h"

/// Finds a leaf by its name: a ploy_bt_file_find_fn with the cast as its user.
/// @param cast  a ploy_cast; must outlive the trees.
/// @return PLOY_ERR_NOT_FOUND for any other name.
PLOY_API ploy_result ploy_character_leaf(void *cast, const char *name, ploy_bt_file_leaf *out);
