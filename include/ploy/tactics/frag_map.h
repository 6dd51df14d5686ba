/// @file ploy/tactics/frag_map.h
/// Frag maps: places get values from the hits taken and made there.
///
/// A hit lowers the place of the victim and raises that of the attacker. Characters that avoid low
/// places and seek high ones adapt to the player. Before each hit all values fade towards 0, so
/// that old experience loses weight. Without fading, it takes as many deaths to unlearn an ambush
/// site as it took to learn it. The map is a layer of numbers that can be saved, filtered (to
/// spread values to places nearby) and combined like any other.
///
/// Technique: Millington, "AI for Games", 6.2.3, "Learning with Tactical Analyses". Cost: O(places)
/// per hit. No allocation.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/tactics/layer.h"

typedef struct ploy_frag_def {
    uint32_t cookie;
    float kill;      ///< value of a fatal hit
    float wound;     ///< value of another hit, or of full damage if by_damage
    bool by_damage;  ///< hits that are not fatal count by their damage
    float keep;      ///< share of every value that is kept when a hit is recorded; 1: never fades
    float half_life; ///< s in which values fall by half (ploy_frag_map_fade); 0: never
    bool frozen;     ///< hits and time change nothing: for a map learned in testing
} ploy_frag_def;

PLOY_API ploy_frag_def ploy_frag_def_default(void);
PLOY_API ploy_fields ploy_frag_fields(void);

/// Records a witnessed hit.
/// @param attacker  place of the attacker; PLOY_PLACE_NONE if it was not seen.
/// @param damage    0 to 1, used if by_damage.
/// @return PLOY_ERR_ARGUMENT, also for a layer of categories.
PLOY_API ploy_result ploy_frag_map_hit(const ploy_frag_def *def, ploy_tactics_layer *map,
                                       int32_t attacker, int32_t victim, bool fatal, float damage);
/// Lets values fade with time.
PLOY_API ploy_result ploy_frag_map_fade(const ploy_frag_def *def, ploy_tactics_layer *map,
                                        float seconds);
/// The best of the given places; among equals, the first. @return its index; -1 if none has a
/// value.
PLOY_API int32_t ploy_frag_map_best(const ploy_tactics_layer *map, const int32_t *places,
                                    int32_t count);
